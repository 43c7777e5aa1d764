package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.client.AdjustRejectedException;
import io.stockroom.client.AdjustRejectedException.Failure;
import io.stockroom.client.AdjustRejectedException.Reason;
import io.stockroom.client.AdjustReport;
import io.stockroom.client.Adjustment;
import io.stockroom.client.AuthenticationException;
import io.stockroom.client.CallOptions;
import io.stockroom.client.Change;
import io.stockroom.client.ChangePage;
import io.stockroom.client.ChangeStream;
import io.stockroom.client.Credentials;
import io.stockroom.client.InvalidRequestException;
import io.stockroom.client.ProductChange;
import io.stockroom.client.ProductStock;
import io.stockroom.client.PublishResult;
import io.stockroom.client.StockChange;
import io.stockroom.client.StockEntry;
import io.stockroom.client.StockroomClient;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.SizeItem;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Changes, snapshots and adjustments of the SDK against a real server. */
class SdkChangesTest {
  private final StockroomServer server = SharedServer.get();

  /** Everything after the cursor. */
  private static List<Change> changes(ChangeStream stream) {
    List<Change> changes = new ArrayList<>();
    for (var page = stream.poll(Duration.ZERO);
        page.isPresent();
        page = stream.poll(Duration.ZERO)) {
      changes.addAll(page.get().changes());
    }
    return changes;
  }

  @Test
  void readsProductAndStockChangesInOrder() {
    TestMerchant merchant = server.merchant("Changes");
    int pid = merchant.addProduct();
    merchant.addStock(pid, "red", "36-37", 5);
    try (StockroomClient client = merchant.client();
        ChangeStream all = client.changes();
        ChangeStream later = client.changes(client.latestCursor())) {
      AdjustReport sold = client.adjust(List.of(Adjustment.entry(pid, "red", 37).change(-2)));
      List<Change> changes = changes(all);
      assertThat(changes).extracting(Change::number).containsExactly(1L, 2L, 3L);
      assertThat(changes.get(0)).isInstanceOf(ProductChange.class);
      assertThat(((ProductChange) changes.get(0)).created()).isTrue();
      assertThat(changes.get(2).number()).isEqualTo(sold.number());
      StockChange sale = (StockChange) changes.get(2);
      assertThat(sale.source()).isEqualTo("interface");
      assertThat(sale.artNo()).isEqualTo("T1");
      assertThat(sale.entries())
          .containsExactly(
              new StockChange.Entry(
                  sold.entries().getFirst().guid(), null, "red", Size.of(37), 5, 3));
      assertThat(changes(later)).containsExactly(sale);
    }
  }

  @Test
  void wakesAWaitingReader() throws Exception {
    TestMerchant merchant = server.merchant("Waiting");
    int pid = merchant.addProduct();
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (StockroomClient client = merchant.client();
        ChangeStream stream = client.changes(client.latestCursor())) {
      Future<ChangePage> next = threads.submit(() -> stream.iterator().next());
      merchant.addStock(pid, "red", "36", 5);
      assertThat(next.get(30, TimeUnit.SECONDS).changes())
          .singleElement()
          .isInstanceOf(StockChange.class);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void readsTheWholeStockInASnapshot() {
    TestMerchant merchant = server.merchant("Snapshot");
    List<Integer> pids = merchant.addProducts(3);
    for (int pid : pids) {
      merchant.addStock(pid, "red", "36-37", 5);
    }
    try (StockroomClient client = merchant.client()) {
      List<ProductStock> products = client.snapshot().products().toList();
      assertThat(products).extracting(ProductStock::pid).isEqualTo(pids);
      assertThat(products.getFirst().entries()).isEqualTo(client.stock(pids.getFirst()));
      assertThat(client.digest().entries()).isEqualTo(6);
    }
  }

  @Test
  void adjustsByEveryKindOfNameAndListsEveryFailure() {
    TestMerchant merchant = server.merchant("Adjusted");
    int pid = merchant.addProduct();
    try (StockroomClient client = merchant.client()) {
      var _ =
          client.createStock(
              List.of(
                  new ColorGroup(
                      "red", pid, List.of(SizeItem.of("36-37", 5), SizeItem.of("38", 5, "69")))));
      assertThat(
              client
                  .adjust(
                      List.of(
                          Adjustment.entry(pid, "red", 36).change(2),
                          Adjustment.entry("T1", "red", 37).set(9).expect(5),
                          Adjustment.barCode("69").change(-5)))
                  .entries())
          .extracting(entry -> entry.size().value(), AdjustReport.Entry::after)
          .containsExactly(Tuple.tuple(36, 7), Tuple.tuple(37, 9), Tuple.tuple(38, 0));

      AdjustRejectedException rejected =
          catchThrowableOfType(
              AdjustRejectedException.class,
              () ->
                  client.adjust(
                      List.of(
                          Adjustment.entry(pid, "red", 36).change(1),
                          Adjustment.barCode("69").change(-1),
                          Adjustment.entry(pid, "red", 37).change(-1).expect(5),
                          Adjustment.entry(pid, "red", 99).change(1),
                          Adjustment.entry("none", "red", 36).change(1),
                          Adjustment.barCode("70").change(1))));
      assertThat(rejected.failures())
          .extracting(Failure::index, Failure::reason, Failure::current)
          .containsExactly(
              Tuple.tuple(1, Reason.STOCK_INSUFFICIENT, 0),
              Tuple.tuple(2, Reason.STOCK_CHANGED, 9),
              Tuple.tuple(3, Reason.ENTRY_MISSING, null),
              Tuple.tuple(4, Reason.PRODUCT_MISSING, null),
              Tuple.tuple(5, Reason.BARCODE_UNKNOWN, null));
      assertThat(client.stock(pid)).extracting(StockEntry::stock).containsExactly(7, 9, 0);
      assertThatThrownBy(() -> client.adjust(List.of()))
          .isInstanceOf(InvalidRequestException.class);
    }
  }

  @Test
  void neverAdjustsTwiceAfterLostResponses() throws IOException {
    TestMerchant merchant = server.merchant("Lost adjustments");
    int pid = merchant.addProduct();
    merchant.addStock(pid, "red", "36", 5);
    try (CuttingProxy proxy = new CuttingProxy(server.address()).lose(2);
        StockroomClient client =
            StockroomClient.builder()
                .address(proxy.address())
                .credentials(merchant.credentials())
                .build()) {
      AdjustReport sold = client.adjust(List.of(Adjustment.entry(pid, "red", 36).change(-2)));
      assertThat(proxy.lost()).isEqualTo(2);
      assertThat(sold.entries().getFirst().after()).isEqualTo(3);
      assertThat(client.stock(pid)).extracting(StockEntry::stock).containsExactly(3);
    }
  }

  @Test
  void repeatsTheFirstResponseForAKey() {
    TestMerchant merchant = server.merchant("Keys");
    int pid = merchant.addProduct();
    CallOptions key = CallOptions.idempotencyKey("order-17");
    try (StockroomClient client = merchant.client()) {
      List<ColorGroup> groups = List.of(new ColorGroup("red", pid, List.of(SizeItem.of("36", 5))));
      for (int i = 0; i < 2; i++) {
        assertThat(client.createStock(groups.stream(), batch -> {}, key).created()).isEqualTo(1);
      }
      List<Adjustment> sale = List.of(Adjustment.entry(pid, "red", 36).change(-2));
      assertThat(client.adjust(sale, key)).isEqualTo(client.adjust(sale, key));
      assertThat(client.stock(pid)).extracting(StockEntry::stock).containsExactly(3);
      assertThat(changes(client.changes())).hasSize(3);
      assertThat(client.publish(List.of(PublishResult.withdrawn(pid)), key).complete())
          .isEqualTo(client.publish(List.of(PublishResult.withdrawn(pid)), key).complete());

      InvalidRequestException other =
          catchThrowableOfType(
              InvalidRequestException.class,
              () -> client.adjust(List.of(Adjustment.entry(pid, "red", 36).change(-1)), key));
      assertThat(other.code()).contains("IDEMPOTENCY_MISMATCH");
    }
  }

  @Test
  void rejectsACursorOfAnotherMerchantAndATokenWithoutTheScope() {
    TestMerchant merchant = server.merchant("Own");
    TestMerchant other = server.merchant("Other");
    String token = merchant.token(Map.of("scopes", List.of("stock:read")));
    try (StockroomClient client = merchant.client();
        StockroomClient stranger = other.client();
        StockroomClient reader =
            StockroomClient.builder()
                .address(server.address())
                .credentials(
                    Credentials.of(
                        merchant.credentials().appid(), merchant.credentials().secret(), token))
                .build()) {
      String cursor = client.latestCursor();
      for (String wrong : Stream.of(cursor, "c_x", "nonsense").toList()) {
        InvalidRequestException rejected =
            catchThrowableOfType(
                InvalidRequestException.class, () -> stranger.changes(wrong).poll(Duration.ZERO));
        assertThat(rejected.code()).as(wrong).contains("CURSOR_FORMAT");
      }
      assertThatThrownBy(reader::latestCursor).isInstanceOf(AuthenticationException.class);
      assertThat(reader.digest().blocks()).isEmpty();
    }
  }
}
