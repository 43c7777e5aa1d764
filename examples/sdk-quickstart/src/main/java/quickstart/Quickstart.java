package quickstart;

import io.stockroom.client.IncompleteCreateException;
import io.stockroom.client.ProductSummary;
import io.stockroom.client.StockFilter;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.SizeItem;
import java.util.List;
import java.util.Optional;

/** Lists products, adds stock to one that has none, reads it back, and fetches its detail. */
public final class Quickstart {
  public static void main(String[] arguments) {
    try (StockroomClient client = StockroomClient.fromEnvironment()) {
      run(client);
    } catch (IncompleteCreateException incomplete) {
      incomplete.report().failed().forEach(System.err::println);
      System.exit(1);
    } catch (IllegalArgumentException setting) {
      System.err.println(setting.getMessage());
      System.exit(2);
    } catch (StockroomException failed) {
      System.err.println(failed.getMessage());
      System.exit(1);
    }
  }

  private static void run(StockroomClient client) {
    System.out.println("The first products:");
    client.products().limit(3).forEach(product -> System.out.println("  " + product));

    Optional<ProductSummary> bare = client.products(StockFilter.WITHOUT_STOCK).findFirst();
    ProductSummary product =
        bare.or(() -> client.products().findFirst())
            .orElseThrow(() -> new IllegalStateException("This merchant has no products."));
    var report =
        client.createStock(
            List.of(
                new ColorGroup("red", product.id(), List.of(SizeItem.of("36-40", 20))),
                new ColorGroup("blue", product.id(), List.of(SizeItem.of("38", 5)))));
    System.out.println("Created stock of product " + product.id() + ":");
    report.batches().forEach(batch -> System.out.println("  " + batch));

    System.out.println("Its stock:");
    client.stock(product.id()).forEach(entry -> System.out.println("  " + entry));

    var detail = client.detail(product.id());
    System.out.println("Its detail: " + detail.product().title() + ", " + detail.product().price());
    System.out.println("Remaining quotas:");
    detail.quotas().forEach(quota -> System.out.println("  " + quota));
  }

  private Quickstart() {}
}
