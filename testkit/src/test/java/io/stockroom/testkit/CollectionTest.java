package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.Credentials;
import io.stockroom.client.StockroomClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Postman collection is generated from the OpenAPI document, and every request works. */
class CollectionTest {
  private static final Path KEPT = Path.of("..", "packaging", "postman", "stockroom.json");
  private static final Path FOUND = Path.of("target", "postman", "stockroom.json");
  private static final String NEWMAN = "newman@6.2.1";

  @BeforeAll
  static void generate() throws IOException {
    Files.createDirectories(Objects.requireNonNull(FOUND.getParent()));
    Files.writeString(FOUND, PostmanCollection.json());
  }

  @Test
  void isCurrent() {
    assertThat(KEPT)
        .as("to accept it: cp testkit/target/postman/stockroom.json packaging/postman/")
        .hasSameTextualContentAs(FOUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"md5", "hmac-sha256"})
  void everyRequestIsAnswered(String signature) throws Exception {
    StockroomServer server = SharedServer.get();
    TestMerchant merchant = server.merchant("Acme");
    int pid = merchant.addProduct();
    Credentials credentials = merchant.credentials();
    Map<String, String> variables =
        Map.of(
            "server", server.address(),
            "appid", credentials.appid(),
            "secret", credentials.secret(),
            "accesstoken", credentials.accesstoken(),
            "signature", signature,
            "webhookUrl", "http://127.0.0.1:64999/hook");
    List<String> command = new ArrayList<>();
    command.add("node");
    command.add(Npm.script(NEWMAN, "newman/bin/newman.js").toString());
    command.addAll(List.of("run", FOUND.toAbsolutePath().toString(), "--reporter-cli-no-banner"));
    variables.forEach(
        (name, value) -> {
          command.add("--env-var");
          command.add(name + "=" + value);
        });

    // newman ends with an error if one is not
    assertThat(Commands.run(Path.of(""), command)).contains("Product list", "Delete a webhook");
    try (StockroomClient client = merchant.client()) {
      assertThat(client.stock(pid)).hasSize(6);
    }
  }
}
