package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.stockroom.client.Credentials;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The clients in clients/ behave as clients/cases.json says, with a real server and with one that
 * fails; and the server says the same as the clients about invalid values.
 */
class ClientsTest {
  private static final Path CLIENTS = Path.of("..", "clients").toAbsolutePath().normalize();
  private static final Path CASES = CLIENTS.resolve("cases.json");
  private static final Path CODES = Path.of("target", "clients", "codes.json").toAbsolutePath();
  private static final JsonMapper JSON = new JsonMapper();

  private static final Map<String, String> PATHS =
      Map.of(
          "stock", "/Stock/List",
          "detail", "/Product/Detail",
          "changes", "/Changes",
          "createStock", "/Stock/Creat",
          "adjust", "/Stock/Adjust",
          "publish", "/Product/Publish");

  private static final JsonNode TABLE = JSON.readTree(CASES.toFile());
  private static final FaultyServer FAULTY = new FaultyServer(TABLE);

  private final StockroomServer server = SharedServer.get();

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectories(Objects.requireNonNull(CODES.getParent()));
    Files.writeString(
        CODES,
        JSON.writeValueAsString(
            Stream.of(ErrorCode.values())
                .map(
                    code ->
                        Map.of(
                            "code", code.name(),
                            "status", code.status(),
                            "type", ClientCodesTest.kind(code, code.status())))
                .toList()));
  }

  @AfterAll
  static void stop() {
    FAULTY.close();
  }

  @Test
  void typescript() throws Exception {
    Path built = TypeScriptClient.build();

    run("typescript", "node", "test/cases.mjs", built.resolve("dist/index.js").toString());
  }

  @Test
  void python() throws Exception {
    run("python", "python3", "-B", "-W", "error", "tests/cases.py");
  }

  @Test
  void php() throws Exception {
    assumeTrue(
        Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "php"))),
        "php is not installed (Debian: apt install php-cli php-curl)");
    run("php", "php", "-d", "error_reporting=E_ALL", "tests/cases.php");
  }

  private void run(String client, String... command) throws Exception {
    TestMerchant merchant = server.merchant("Acme");
    merchant.addProducts(3);
    Credentials credentials = merchant.credentials();
    String said =
        Commands.run(
            CLIENTS.resolve(client),
            List.of(command),
            Map.of(
                "CASES", CASES.toString(),
                "CODES", CODES.toString(),
                "FAULTS", FAULTY.address() + "/" + client,
                "STOCKROOM_SERVER", server.address(),
                "STOCKROOM_APPID", credentials.appid(),
                "STOCKROOM_SECRET", credentials.secret(),
                "STOCKROOM_TOKEN", credentials.accesstoken()));

    assertThat(said).containsPattern("^\\d{3} checks, 0 failed\\n$");
    JsonNode replies = TABLE.get("replies");
    for (int i = 0; i < replies.size(); i++) {
      JsonNode one = replies.get(i);
      List<Map<String, String>> received = FAULTY.received(client, i);
      assertThat(received).as(one.get("name").asString()).hasSize(one.get("replies").size());
      if (one.has("sameKey")) {
        assertThat(received)
            .extracting(headers -> headers.get("idempotency-key"))
            .doesNotContainNull()
            .containsOnly(received.getFirst().get("idempotency-key"));
      }
    }
    assertThat(FAULTY.received(client, 0).getFirst().get("user-agent"))
        .isEqualTo("stockroom-" + client + "/0.1.0");
  }

  @Test
  void theServerRefusesInvalidValuesInTheSameWords() throws Exception {
    TestMerchant merchant = server.merchant("Acme");
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (JsonNode one : TABLE.get("invalid")) {
        JsonNode arguments = one.get("arguments");
        boolean form = !arguments.get(0).isArray();
        String body = form ? form(one) : JSON.writeValueAsString(arguments.get(0));
        HttpRequest.Builder request =
            HttpRequest.newBuilder(
                    URI.create(server.address() + PATHS.get(one.get("call").asString())))
                .POST(BodyPublishers.ofString(body))
                .header(
                    "Content-Type", form ? "application/x-www-form-urlencoded" : "application/json")
                .header(
                    "Accept-Language", one.has("language") ? one.get("language").asString() : "en");
        merchant.credentials().headers(Instant.now()).forEach(request::header);

        String answer = http.send(request.build(), BodyHandlers.ofString()).body();

        assertThat(JSON.readTree(answer).get("errors")).as(answer).isEqualTo(one.get("problems"));
      }
    }
  }

  private static String form(JsonNode one) {
    List<String> names =
        switch (one.get("call").asString()) {
          case "stock" -> List.of("productid");
          case "detail" -> List.of("pid");
          default -> List.of("after", "limit", "wait");
        };
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      String value = one.get("arguments").get(i).asString();
      form.append(i == 0 ? "" : "&").append(names.get(i)).append('=');
      form.append(URLEncoder.encode(value, StandardCharsets.UTF_8));
    }
    return form.toString();
  }
}
