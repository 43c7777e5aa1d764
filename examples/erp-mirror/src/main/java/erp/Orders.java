package erp;

import io.stockroom.client.AdjustRejectedException;
import io.stockroom.client.Adjustment;
import io.stockroom.client.CallOptions;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import io.stockroom.protocol.Size;
import java.util.List;
import java.util.UUID;

/** Sells single pairs. Other systems may sell the same ones: the server decides who gets the last. */
final class Orders {
  private static final int MAX_ATTEMPTS = 5;

  private final StockroomClient client;

  Orders(StockroomClient client) {
    this.client = client;
  }

  /**
   * Takes one pair out of stock; false if none is left. The order's number is the idempotency key:
   * however often the request is sent, it sells one pair. A real ERP stores the number before the
   * first attempt, so that it can repeat the request even after a crash.
   */
  boolean sellOne(int pid, String color, Size size) throws InterruptedException {
    CallOptions order = CallOptions.idempotencyKey("order-" + UUID.randomUUID());
    List<Adjustment> sale = List.of(Adjustment.entry(pid, color, size).change(-1));
    for (int attempt = 1; ; attempt++) {
      try {
        client.adjust(sale, order);
        return true;
      } catch (AdjustRejectedException rejected) {
        rejected
            .failures()
            .forEach(failure -> System.out.println(failure.reason() + ", now " + failure.current()));
        return false;
      } catch (StockroomException failed) {
        if (!failed.isTemporary() || attempt == MAX_ATTEMPTS) {
          throw failed;
        }
        Thread.sleep(1000L * attempt);
      }
    }
  }
}
