package io.stockroom.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.demo.Demo;
import io.stockroom.demo.DemoSeeder;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Sends every request in the docs to a new demo server, a sandbox, and compares the response. */
class InterfaceExamplesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final JsonMapper JSON = new JsonMapper();
  private static final Set<String> SIGNED = Set.of("appid", "timestamp", "sign", "accesstoken");

  @TempDir private static Path folder;
  private static ScratchDatabase database;
  private static Stockroom stockroom;
  private static TestServer server;
  private static int merchant;
  private static Api api;

  @BeforeAll
  static void startTheDemo() throws Exception {
    database = ScratchDatabase.withTables();
    stockroom = database.serve(folder, Map.of("sandbox", "true"));
    server = TestServer.of(stockroom);
    DemoSeeder.Seeded seeded = stockroom.demo().seed("http://localhost:8080").getFirst();
    merchant = seeded.merchantId();
    Demo.Access access = stockroom.demo().newAccess(merchant);
    api = Api.of(server, access.appid(), access.secret(), access.accesstoken());
  }

  @AfterAll
  static void stop() {
    stockroom.close();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "interface/product-list.md",
        "interface/stock-list.md",
        "interface/create-stock.md",
        "interface/adjust-stock.md",
        "interface/product-detail.md",
        "interface/publish-results.md",
        "interface/usage.md",
        "changes.md",
        "limits.md",
        "errors.md",
        "interface/products.md",
        "interface/stock-batch.md",
        "interface/remove-stock.md"
      })
  void respondsAsDocumented(String file) {
    List<Example> examples = Example.of(DOCS.resolve(file));

    assertThat(examples).as("requests in " + file).isNotEmpty();
    for (Example example : examples) {
      limit(example.given());
      Reply reply = call(example).send();
      limit(example.given().replaceFirst("=.*", "="));

      assertThat(List.of("HTTP/1.1 " + reply.status()))
          .as(example + ": " + reply.body())
          .containsExactly(example.answer().first().replaceFirst("(\\d{3}).*", "$1"));
      example
          .answer()
          .headers()
          .forEach(
              (name, value) ->
                  assertThat(reply.header(name.toLowerCase(Locale.ROOT)))
                      .as(example + ": " + name)
                      .hasValueSatisfying(
                          actual -> assertThat(Likeness.text(value, actual)).as(actual).isTrue()));
      assertThat(Likeness.differences(JSON.readTree(example.answer().body()), reply.json()))
          .as(example + " is answered\n" + reply.body())
          .isEmpty();
    }
  }

  @Test
  void detectsADifferentResponse() {
    String shown = "{\"a\":[1,\"…\"],\"b\":\"x…z\",\"c\":null}";

    assertThat(differences(shown, "{\"a\":[1,2,3],\"b\":\"xyz\",\"c\":null}")).isEmpty();
    assertThat(differences(shown, "{\"a\":[2],\"b\":\"xyz\",\"c\":null}")).hasSize(1);
    assertThat(differences(shown, "{\"a\":[1],\"b\":\"xy\",\"c\":null}")).hasSize(1);
    assertThat(differences(shown, "{\"a\":[1],\"b\":\"xz\",\"c\":0}")).hasSize(1);
    assertThat(differences(shown, "{\"b\":\"xz\",\"a\":[1],\"c\":null}")).hasSize(1);
    assertThat(differences("[1]", "[1,2]")).hasSize(1);
    assertThat(differences("[1,2]", "[1]")).hasSize(1);
  }

  private static List<String> differences(String shown, String actual) {
    return Likeness.differences(JSON.readTree(shown), JSON.readTree(actual));
  }

  /** If a limit is set, uses a new token, which is not cached yet. */
  private static Api access(Example example) {
    if (example.given().isEmpty()) {
      return api;
    }
    String body =
        "{\"appid\":\"%s\",\"merchantId\":%d,\"boundStore\":\"demo-shop\"}"
            .formatted(api.appid(), merchant);
    Reply issued = Admin.of(server).post("/admin/tokens", body);
    return api.withToken(issued.json().get("accesstoken").asString());
  }

  private static Call call(Example example) {
    String[] line = example.request().first().split(" ", -1);
    String[] address = line[1].split("\\?", 2);
    Call call = access(example).call(address[0]);
    if (address.length > 1) {
      call.query(address[1]);
    }
    String type = example.request().headers().get("Content-Type");
    if (type != null) {
      call.body(type, example.request().body());
    }
    example.request().headers().entrySet().stream()
        .filter(header -> !SIGNED.contains(header.getKey()))
        .filter(header -> !header.getKey().equals("Host"))
        .forEach(header -> call.header(header.getKey(), header.getValue()));
    return call;
  }

  /** Sets a limit of the merchant, or removes it if the value is empty. */
  private static void limit(String given) {
    if (!given.isEmpty()) {
      String[] parts = given.split("=", 2);
      String value = parts[1].isEmpty() ? "null" : "\"" + parts[1] + "\"";
      Reply reply =
          Admin.of(server)
              .send(
                  "PUT",
                  "/admin/merchants/" + merchant + "/limits",
                  "{\"limits.%s\":%s}".formatted(parts[0], value));
      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }
  }
}
