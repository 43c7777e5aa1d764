package erp;

import io.stockroom.client.ProductStock;
import io.stockroom.client.StockEntry;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import io.stockroom.client.mirror.JdbcMirrorStore;
import io.stockroom.client.mirror.MemoryMirrorStore;
import io.stockroom.client.mirror.MirrorStore;
import io.stockroom.client.mirror.StockMirror;
import io.stockroom.client.mirror.Verification;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A small ERP: keeps a copy of the merchant's stock, sells one entry until nothing is left, and
 * proves that its copy is equal to the server's stock.
 */
public final class ErpMirror {
  /** One pair would not show much. */
  private static final int MIN_STOCK = 3;

  /** What to sell: the entry with the smallest quantity that is enough. */
  private record Offer(int pid, String artNo, StockEntry entry) {}

  public static void main(String[] arguments) throws InterruptedException {
    try (StockroomClient client = StockroomClient.fromEnvironment()) {
      run(client, store());
    } catch (IllegalArgumentException setting) {
      System.err.println(setting.getMessage());
      System.exit(2);
    } catch (StockroomException failed) {
      System.err.println(failed.getMessage());
      System.exit(1);
    }
  }

  private static void run(StockroomClient client, MirrorStore store) throws InterruptedException {
    try (StockMirror mirror = new StockMirror(client, store)) {
      mirror.onFailure(failure -> System.err.println("Continuing after: " + failure.getMessage()));
      mirror.sync();
      Thread following = new Thread(mirror::follow, "mirror");
      following.start();

      Optional<Offer> offer = scarcest(store);
      if (offer.isEmpty()) {
        System.out.println("No entry has enough stock to sell.");
      } else {
        sell(client, offer.get());
      }

      Verification proof = mirror.verify();
      System.out.println(
          "The copy is equal to the server's stock. Its digest is " + proof.digest());
      offer.ifPresent(
          sold ->
              System.out.println(
                  "In the copy: "
                      + mirror.stock(sold.pid, sold.entry.color(), sold.entry.size()).orElse(0)
                      + " left"));
      mirror.close();
      following.join();
    }
  }

  private static Optional<Offer> scarcest(MirrorStore store) {
    AtomicReference<Optional<Offer>> best = new AtomicReference<>(Optional.empty());
    store.read(product -> best.set(scarcer(best.get(), product)));
    return best.get();
  }

  private static Optional<Offer> scarcer(Optional<Offer> best, ProductStock product) {
    return product.entries().stream()
        .filter(entry -> entry.stock() >= MIN_STOCK)
        .filter(entry -> best.isEmpty() || entry.stock() < best.get().entry.stock())
        .min(Comparator.comparingInt(StockEntry::stock))
        .map(entry -> new Offer(product.pid(), product.artNo(), entry))
        .or(() -> best);
  }

  private static void sell(StockroomClient client, Offer offer) throws InterruptedException {
    System.out.println(
        "Selling " + offer.artNo + ", " + offer.entry.color() + ", size " + offer.entry.size());
    Orders orders = new Orders(client);
    int sold = 0;
    while (orders.sellOne(offer.pid, offer.entry.color(), offer.entry.size())) {
      sold++;
    }
    System.out.println("Sold " + sold + "; nothing is left.");
  }

  /** In PostgreSQL, the copy survives a restart of this program. */
  private static MirrorStore store() {
    String url = System.getenv("ERP_DATABASE");
    if (url == null || url.isBlank()) {
      return new MemoryMirrorStore();
    }
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(url);
    return new JdbcMirrorStore(database, "erp").createTables();
  }

  private ErpMirror() {}
}
