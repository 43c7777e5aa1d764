package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.Database;
import io.stockroom.core.limits.DetailLimits.Account;
import io.stockroom.core.limits.DetailLimits.Charge;
import io.stockroom.core.limits.DetailLimits.Fetch;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Details of several merchants share a transaction, and each one is checked and counted alone. */
class DetailsTogetherTest {
  private static final DetailUsage.Held HOLD = DetailUsage.beside("select * from facts");

  private final Database database = TestServer.shared().database();
  private final DetailLimits limits = new DetailLimits(Optional::empty);

  @Test
  void countsEachFetchForItsMerchantAndStore() throws SQLException {
    TestMerchant first = TestMerchant.fresh();
    TestMerchant second = TestMerchant.fresh();
    fetch(true, asked(first, "north", 1));
    fetch(true, asked(first, "north", 2));

    List<@Nullable Account> before =
        fetch(true, asked(second, "south", 7), asked(first, "north", 1));

    assertThat(before.stream().map(each -> Objects.requireNonNull(each).moment().usedToday()))
        .containsExactly(0, 2);
    assertThat(before.stream().map(each -> Objects.requireNonNull(each).facts()))
        .containsExactly(
            new DetailLimits.Facts(0, 0, 0, false), new DetailLimits.Facts(0, 0, 2, true));
    assertThat(used(first)).containsExactly("3");
    assertThat(used(second)).containsExactly("1");
    assertThat(stores(first)).containsExactly("north 2");
    assertThat(stores(second)).containsExactly("south 1");
  }

  @Test
  void readsTheWindowsOfEachMerchantByItsOwnLimits() throws SQLException {
    Fetch utc = asked(TestMerchant.fresh(), "", 1);
    Fetch shanghai =
        new Fetch(
            TestMerchant.fresh().id(),
            "",
            1,
            Limits.of(Settings.with(Map.of()), Map.of("limits.zone", "Asia/Shanghai")));

    List<@Nullable Account> accounts = fetch(true, utc, shanghai);

    assertThat(Objects.requireNonNull(accounts.get(0)).moment().dayEnds().toString())
        .endsWith("T00:00:00Z");
    assertThat(Objects.requireNonNull(accounts.get(1)).moment().dayEnds().toString())
        .endsWith("T16:00:00Z");
  }

  @Test
  void leavesOutAnAccountThatSomebodyElseHolds() throws SQLException {
    TestMerchant held = TestMerchant.fresh();
    TestMerchant free = TestMerchant.fresh();
    database.write(
        connection -> {
          DetailLimits.hold(connection, held.id());

          List<@Nullable Account> accounts = fetch(false, asked(held, "", 1), asked(free, "", 1));

          assertThat(accounts.getFirst()).isNull();
          assertThat(accounts.getLast()).isNotNull();
          return accounts;
        });
    assertThat(used(held)).containsExactly("0");
    assertThat(used(free)).containsExactly("1");
  }

  @Test
  void aHeldAccountDelaysOnlyItsOwnMerchant() throws Exception {
    TestMerchant held = TestMerchant.fresh();
    TestMerchant free = TestMerchant.fresh();
    int heldProduct = held.product();
    int freeProduct = free.product();
    CompletableFuture<Reply> waiting =
        database.write(
            connection -> {
              DetailLimits.hold(connection, held.id());
              CompletableFuture<Reply> call =
                  CompletableFuture.supplyAsync(() -> held.api().detail(heldProduct));

              assertThat(free.api().detail(freeProduct).success()).isTrue();
              assertThat(call).isNotDone();
              return call;
            });

    assertThat(waiting.get().success()).isTrue();
  }

  @Test
  void callsAtTheSameTimeGetTheirOwnAnswers() {
    List<TestMerchant> merchants = Stream.generate(TestMerchant::fresh).limit(12).toList();
    List<Integer> products = merchants.stream().map(TestMerchant::product).toList();
    List<CompletableFuture<Reply>> calls =
        Stream.iterate(0, i -> i + 1)
            .limit(merchants.size())
            .map(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> merchants.get(i).api().detail(products.get(i))))
            .toList();

    for (int i = 0; i < merchants.size(); i++) {
      assertThat(calls.get(i).join().body())
          .startsWith("{\"success\":true")
          .contains("\"storeUrl\":\"" + merchants.get(i).storeUrl() + "\"");
      assertThat(used(merchants.get(i))).containsExactly("1");
    }
  }

  private List<@Nullable Account> fetch(boolean waits, Fetch... fetches) throws SQLException {
    return database.write(connection -> fetch(connection, waits, List.of(fetches)));
  }

  private List<@Nullable Account> fetch(Connection connection, boolean waits, List<Fetch> fetches)
      throws SQLException {
    List<@Nullable Account> found =
        limits.hold(connection, HOLD, fetches, waits, DetailUsage::read);
    limits.charge(
        connection,
        Stream.iterate(0, i -> i + 1)
            .limit(fetches.size())
            .filter(i -> found.get(i) != null)
            .map(i -> new Charge(fetches.get(i), Objects.requireNonNull(found.get(i)).afterOne()))
            .toList());
    return found;
  }

  private static Fetch asked(TestMerchant merchant, String store, int productId) {
    return new Fetch(merchant.id(), store, productId, Limits.of(Settings.with(Map.of()), Map.of()));
  }

  private static List<String> used(TestMerchant merchant) {
    return merchant.texts("select used from detail_usage where merchant_id = ?");
  }

  private static List<String> stores(TestMerchant merchant) {
    return merchant.texts(
        "select bound_store || ' ' || products from store_usage where merchant_id = ?");
  }
}
