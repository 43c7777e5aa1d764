package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Merchants cannot see, change or detect each other's data. */
class IsolationTest {
  private static final int MISSING = 2_000_000_000;

  private final TestMerchant owner = TestMerchant.fresh();
  private final Api stranger = TestMerchant.fresh().api();
  private final int bare = owner.product();
  private final int stocked = owner.product();

  IsolationTest() {
    owner.api().create(Stock.list(Stock.group(stocked, "red", Stock.size("36", 5, "A"))));
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        call("stock list", Api::stock),
        call("stock list by query", (api, id) -> query(api, "/Stock/List", "productid=" + id)),
        call("product detail", Api::detail),
        call("product detail by query", (api, id) -> query(api, "/Product/Detail", "pid=" + id)),
        call(
            "product detail as JSON",
            (api, id) -> api.call("/Product/Detail").json("{\"pid\":" + id + "}").send()),
        call("create", (api, id) -> api.create(Stock.one(id, "red", "36", 99))),
        call("create a new size", (api, id) -> api.create(Stock.one(id, "red", "37", 99))),
        call(
            "create with the barcode",
            (api, id) -> api.create(Stock.list(Stock.group(id, "red", Stock.size("36", 1, "A"))))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void anotherMerchantsProductLooksMissing(String name, BiFunction<Api, Integer, Reply> call) {
    String missing = call.apply(stranger, MISSING).whole();

    assertThat(missing).as(name).contains("\"success\":false").contains("does not exist");
    for (int id : new int[] {bare, stocked}) {
      String others = call.apply(stranger, id).whole();
      assertThat(others.replace("exist: " + id + ".", "exist: " + MISSING + "."))
          .isEqualTo(missing);
    }
    assertThat(owner.api().stock(stocked).data("stock")).containsExactly("5");
    assertThat(owner.entries()).isEqualTo(1);
  }

  @Test
  void listsOnlyTheMerchantsOwnProducts() {
    assertThat(stranger.products("page=1").body())
        .isEqualTo("{\"success\":true,\"totalPages\":0,\"data\":[]}");
    assertThat(stranger.products("page=1&stock=true").data()).isEmpty();
    assertThat(stranger.products("page=1&stock=false").data()).isEmpty();
    assertThat(owner.api().products("page=1").data()).hasSize(2);
  }

  @Test
  void reportsAnotherMerchantsProductAsMissing() {
    Reply reply =
        stranger.create(
            Stock.list(
                Stock.group(MISSING, "red", Stock.size("36", 1)),
                Stock.group(stocked, "red", Stock.size("36", 1))));

    assertThat(reply.msg())
        .isEqualTo("The product does not exist: %d, %d.".formatted(stocked, MISSING));
  }

  @Test
  void doesNotRevealAnotherMerchantsBarcode() {
    TestMerchant other = TestMerchant.fresh();
    int own = other.product();

    String body = Stock.list(Stock.group(own, "red", Stock.size("36", 1, "A")));
    assertThat(other.api().create(body).body()).isEqualTo("{\"success\":true,\"msg\":\"\"}");
  }

  private static Reply query(Api api, String path, String query) {
    return api.call(path).query(query).form("").send();
  }

  private static Arguments call(String name, BiFunction<Api, Integer, Reply> call) {
    return Arguments.of(name, call);
  }
}
