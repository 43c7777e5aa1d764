package io.stockroom.server.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Every call of the interface × every kind of invalid credentials. */
class InterfaceIsolationTest {
  private static final TestServer SERVER = TestServer.shared();
  private static final int MISSING = 2_000_000_000;

  /**
   * One call.
   *
   * @param scope the required scope; empty if any token is sufficient
   * @param about the call with a product id; unchanged for a call without one
   */
  private record Known(String scope, boolean namesProduct, BiFunction<Call, Integer, Call> about) {}

  /** One pixel. */
  private static final String GIF =
      "GIF87a\u0001\0\u0001\0\0\0\0,\0\0\0\0\u0001\0\u0001\0\0\u0002\u0002D\u0001\0;";

  private static final Map<String, Known> CALLS = new LinkedHashMap<>();

  static {
    CALLS.putAll(
        Map.of(
            "POST /Stock/Product",
                new Known("product:read", false, (call, _) -> call.form("page=1")),
            "POST /Stock/List",
                new Known("stock:read", true, (call, id) -> call.form("productid=" + id)),
            "POST /Stock/Creat",
                new Known(
                    "stock:write", true, (call, id) -> call.json(Stock.one(id, "red", "36", 99))),
            "POST /Stock/Adjust",
                new Known(
                    "stock:write",
                    true,
                    (call, id) ->
                        call.json(
                            "[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":-1}]"
                                .formatted(id))),
            "POST /Product/Detail",
                new Known("detail:read", true, (call, id) -> call.form("pid=" + id)),
            "POST /Product/Publish",
                new Known(
                    "publish:write",
                    true,
                    (call, id) ->
                        call.json("[{\"pid\":%d,\"result\":\"published\"}]".formatted(id))),
            "POST /Usage", new Known("", false, (call, _) -> call.form("")),
            "POST /Changes", new Known("changes:read", false, (call, _) -> call.form("")),
            "POST /Stock/Snapshot", new Known("stock:read", false, (call, _) -> call.form("")),
            "POST /Stock/Digest", new Known("stock:read", false, (call, _) -> call.form(""))));
    CALLS.put(
        "POST /Webhook/Create",
        new Known(
            "webhook:manage",
            false,
            (call, _) -> call.json("{\"url\":\"http://127.0.0.1:1024/\"}")));
    CALLS.put(
        "POST /Stock/Batch",
        new Known("stock:read", false, (call, id) -> call.form("productid=" + id)));
    CALLS.put(
        "POST /Stock/Remove",
        new Known(
            "stock:write",
            true,
            (call, id) -> call.json("[{\"pid\":%d,\"color\":\"red\"}]".formatted(id))));
    CALLS.put(
        "POST /Product/Find", new Known("product:read", false, (call, _) -> call.form("artNo=A1")));
    CALLS.put(
        "POST /Product/Save",
        new Known(
            "product:write",
            true,
            (call, id) -> call.json("[{\"pid\":%d,\"title\":\"Mine\"}]".formatted(id))));
    for (String path : List.of("Archive", "Restore")) {
      CALLS.put(
          "POST /Product/" + path,
          new Known(
              "product:write", true, (call, id) -> call.json("[{\"pid\":%d}]".formatted(id))));
    }
    CALLS.put(
        "POST /Product/Picture",
        new Known(
            "product:write",
            true,
            (call, id) -> call.query("pid=" + id).body("image/gif", GIF).hmac()));
    CALLS.put(
        "POST /Webhook/Update",
        new Known(
            "webhook:manage",
            false,
            (call, _) -> call.json("{\"id\":\"wh_%s\"}".formatted("0".repeat(32)))));
    CALLS.put(
        "POST /Stock/Import",
        new Known(
            "stock:write", false, (call, _) -> call.body("text/csv", "artNo,color,36\nX,red,1\n")));
    for (String path : List.of("Status", "Apply", "Cancel", "Undo")) {
      CALLS.put(
          "POST /Stock/Import/" + path,
          new Known("stock:write", false, (call, _) -> call.form("job=2147483647")));
    }
    for (String path :
        List.of("List", "Delete", "Test", "Replay", "Deliveries", "Rotate", "Enable", "Disable")) {
      CALLS.put(
          "POST /Webhook/" + path,
          new Known(
              "webhook:manage",
              false,
              (call, _) -> call.form("id=wh_" + "0".repeat(32) + "&after=latest")));
    }
  }

  private final TestMerchant owner = TestMerchant.fresh();
  private final int product = owner.product();
  private final Api api = owner.api();

  private static List<String> routes() {
    List<String> routes =
        SERVER.addresses().stream().filter(address -> !address.contains(" /admin/")).toList();
    for (String route : routes) {
      assertThat(CALLS)
          .as("a new call must be added to the table of this test, with its scope")
          .containsKey(route);
    }
    return routes;
  }

  @Test
  void rejectsInvalidCredentials() {
    TestMerchant other = TestMerchant.fresh();
    Api revoked = owner.application();
    Admin.of(SERVER).post("/admin/tokens/revoke", "{\"token\":\"" + revoked.accesstoken() + "\"}");
    Api expired = owner.token("\"expires\":\"P1D\"");
    assertThat(
            owner.inDirectory(
                """
                update access_token set expires_at = now() - interval '1 second'
                where merchant_id = ? and hash = sha256(convert_to('%s', 'UTF8')) returning 1
                """
                    .formatted(expired.accesstoken())))
        .hasSize(1);
    for (String route : routes()) {
      assertRefused(route, call(api, route).without("appid"), "HEADER_MISSING");
      assertRefused(route, call(api, route).without("sign"), "HEADER_MISSING");
      assertRefused(route, call(api, route).without("timestamp"), "HEADER_MISSING");
      assertRefused(route, call(api, route).without("accesstoken"), "HEADER_MISSING");
      assertRefused(
          route,
          call(api, route)
              .without("appid")
              .header("Authorization", "Bearer " + SERVER.operatorKey()),
          "HEADER_MISSING");
      String wrong = assertRefused(route, call(api.withSecret("x"), route), "CREDENTIALS_WRONG");
      for (Api liar :
          List.of(
              api.withAppid("app_unknown"),
              api.withToken("srt_unknown"),
              api.withToken(other.api().accesstoken()),
              other.api().withToken(api.accesstoken()),
              other.api().withSecret(api.secret()),
              api.withAppid(other.api().appid()))) {
        assertThat(assertRefused(route, call(liar, route), "CREDENTIALS_WRONG")).isEqualTo(wrong);
      }
      assertRefused(route, call(revoked, route), "TOKEN_REVOKED");
      assertRefused(route, call(expired, route), "TOKEN_EXPIRED");
    }
    assertThat(owner.entries()).isZero();
  }

  @Test
  void rejectsATokenWithoutTheScope() {
    for (String route : routes()) {
      String needed = known(route).scope();
      List<String> others =
          CALLS.values().stream()
              .map(Known::scope)
              .filter(scope -> !scope.isEmpty() && !scope.equals(needed))
              .distinct()
              .toList();
      Api without = owner.token("\"scopes\":[\"%s\"]".formatted(String.join("\",\"", others)));
      if (needed.isEmpty()) {
        assertThat(call(without, route).send().success()).as(route).isTrue();
      } else {
        assertRefused(route, call(without, route), "SCOPE_MISSING");
        Api with = owner.token("\"scopes\":[\"%s\"]".formatted(needed));
        assertThat(call(with, route).send().status()).as(route).isEqualTo(200);
      }
    }
  }

  @Test
  void anotherMerchantsProductLooksMissingByteForByte() {
    owner.api().create(Stock.one(product, "red", "36", 5));
    Api stranger = TestMerchant.fresh().api();
    int compared = 0;
    for (String route : routes()) {
      Known known = known(route);
      if (known.namesProduct()) {
        compared++;
        Reply others = known.about().apply(stranger.call(path(route)), product).send();
        Reply missing = known.about().apply(stranger.call(path(route)), MISSING).send();
        assertThat(named(others, product)).as(route).isEqualTo(named(missing, MISSING));
        assertThat(others.body()).as(route).contains("\"success\":false");
      }
    }
    assertThat(compared).isEqualTo(10);
    assertThat(owner.api().stock(product).data("stock")).containsExactly("5");
  }

  private Call call(Api caller, String route) {
    return known(route).about().apply(caller.call(path(route)), product);
  }

  private static Known known(String route) {
    return Objects.requireNonNull(CALLS.get(route));
  }

  private static String path(String route) {
    return route.substring(route.indexOf(' ') + 1);
  }

  private static String assertRefused(String route, Call call, String code) {
    Reply reply = call.send();
    assertThat(reply.status()).as(route).isEqualTo(400);
    assertThat(reply.codes()).as(route).containsExactly(code);
    return reply.whole();
  }

  /**
   * Status, headers and body, without the product's id and values that differ in every response.
   */
  private static String named(Reply reply, int id) {
    Map<String, String> headers = new java.util.TreeMap<>(reply.headers());
    headers.keySet().removeAll(List.of("date", "x-request-id", "content-length"));
    String seconds = ";t=[0-9]+";
    return reply.status()
        + headers.toString().replaceAll(seconds, "")
        + reply.body().replace(Integer.toString(id), "N");
  }
}
