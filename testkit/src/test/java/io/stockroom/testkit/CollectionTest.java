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
import tools.jackson.databind.json.JsonMapper;

/** The Postman collection is generated from the OpenAPI document, and every request works. */
class CollectionTest {
  private static final Path KEPT = Path.of("..", "packaging", "postman", "stockroom.json");
  private static final Path FOUND = Path.of("target", "postman", "stockroom.json");

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

  @Test
  void everyRequestIsAnsweredWithEitherSignature() throws Exception {
    everyRequestIsAnswered(SharedServer.get());
  }

  @Test
  void aSandboxAnswersEveryRequest() throws Exception {
    try (StockroomServer sandbox = StockroomServer.start(Map.of("sandbox", "true"))) {
      everyRequestIsAnswered(sandbox);
    }
  }

  private static void everyRequestIsAnswered(StockroomServer server) throws Exception {
    List<TestMerchant> merchants = new ArrayList<>();
    List<Map<String, String>> sets = new ArrayList<>();
    for (String signature : List.of("md5", "hmac-sha256")) {
      TestMerchant merchant = server.merchant("Acme");
      merchant.addProduct();
      merchants.add(merchant);
      Credentials credentials = merchant.credentials();
      sets.add(
          Map.of(
              "server", server.address(),
              "appid", credentials.appid(),
              "secret", credentials.secret(),
              "accesstoken", credentials.accesstoken(),
              "signature", signature));
    }

    // ends with an error if one is not
    String said =
        Commands.run(
            Path.of(""),
            List.of(
                "node",
                "src/test/resources/postman/run.cjs",
                Npm.folder("newman").toString(),
                FOUND.toAbsolutePath().toString(),
                new JsonMapper().writeValueAsString(sets)));

    for (String request : List.of("Product list", "Delete a webhook")) {
      assertThat(said.split(request, -1)).as(said).hasSize(merchants.size() + 1);
    }
    for (TestMerchant merchant : merchants) {
      try (StockroomClient client = merchant.client()) {
        // size 36 was removed; the import brings it back if its plan was ready in time
        assertThat(client.snapshot().products().toList().getFirst().entries())
            .extracting(entry -> entry.size().text())
            .filteredOn(size -> !size.equals("36"))
            .containsExactly("37", "38", "39", "40", "41");
      }
    }
  }
}
