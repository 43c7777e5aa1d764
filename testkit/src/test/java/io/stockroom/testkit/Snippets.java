package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.AdjustRejectedException;
import io.stockroom.client.AdjustReport;
import io.stockroom.client.Adjustment;
import io.stockroom.client.AuthenticationException;
import io.stockroom.client.CallOptions;
import io.stockroom.client.Change;
import io.stockroom.client.ChangePage;
import io.stockroom.client.ChangeStream;
import io.stockroom.client.CreateBatch;
import io.stockroom.client.CreateReport;
import io.stockroom.client.Credentials;
import io.stockroom.client.FetchedDetail;
import io.stockroom.client.FoundProducts;
import io.stockroom.client.IncompleteCreateException;
import io.stockroom.client.LimitReachedException;
import io.stockroom.client.ProductDraft;
import io.stockroom.client.ProductQuery;
import io.stockroom.client.PublishResult;
import io.stockroom.client.SaveReport;
import io.stockroom.client.SignatureMethod;
import io.stockroom.client.StockChange;
import io.stockroom.client.StockEntry;
import io.stockroom.client.StockFilter;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import io.stockroom.client.WebhookMessage;
import io.stockroom.client.WebhookVerificationException;
import io.stockroom.client.Webhooks;
import io.stockroom.client.mirror.JdbcMirrorStore;
import io.stockroom.client.mirror.StockMirror;
import io.stockroom.client.mirror.Verification;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.SizeItem;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/sdk.md, which compile and run here. */
final class Snippets {
  static void quickStart(String address, String appid, String secret, String token) {
    try (StockroomClient client =
        StockroomClient.builder()
            .address(address)
            .credentials(Credentials.of(appid, secret, token))
            .build()) {
      client
          .products()
          .forEach(product -> System.out.println(product.id() + " " + product.artNo()));

      int pid = client.products().findFirst().orElseThrow().id();
      client.createStock(
          List.of(
              new ColorGroup(
                  "red",
                  pid,
                  List.of(SizeItem.of("36-40", 20), SizeItem.of("41", 5, "6901234567892")))));
      client.stock(pid).forEach(System.out::println);

      FetchedDetail detail = client.detail(pid);
      System.out.println(detail.product().title() + " " + detail.product().price());
      detail.quotas().forEach(System.out::println);

      client.publish(List.of(PublishResult.published(pid, "https://shop.example/" + pid)));
    }
  }

  static StockroomClient settings(String address, String appid, String secret, String token) {
    return StockroomClient.builder()
        .address(address)
        .credentials(Credentials.of(appid, secret, token))
        .signatureMethod(SignatureMethod.HMAC_SHA256)
        .language(Language.CHINESE)
        .timeout(Duration.ofSeconds(10))
        .retries(2)
        .build();
  }

  static void futures(StockroomClient client, int pid) {
    CompletableFuture<Integer> total =
        client
            .async()
            .stock(pid)
            .thenApply(entries -> entries.stream().mapToInt(StockEntry::stock).sum());
    List<StockEntry> soon = client.withTimeout(Duration.ofSeconds(2)).stock(pid);
    System.out.println(total.join() + " in " + soon.size() + " entries");
  }

  static List<Integer> withoutStock(StockroomClient client) {
    List<Integer> toFill =
        client.products(StockFilter.WITHOUT_STOCK).map(product -> product.id()).toList();
    return toFill;
  }

  static void save(StockroomClient client, int pid) {
    SaveReport report =
        client
            .catalogue()
            .save(
                List.of(
                    ProductDraft.of("C100").title("Canvas shoe").price(new BigDecimal("59.00")),
                    ProductDraft.of(pid).imgs(List.of("https://img.example/1.jpg"))));
    FoundProducts found = client.catalogue().find(ProductQuery.words("canvas"));
    found.products().forEach(System.out::println);
    System.out.println(report);
  }

  static void createMany(StockroomClient client, Stream<ColorGroup> groups) {
    try {
      CreateReport report =
          client.createStock(
              groups, batch -> System.out.println(batch.index() + " " + batch.outcome()));
      System.out.println(report.created() + " color groups created");
    } catch (IncompleteCreateException incomplete) {
      for (CreateBatch batch : incomplete.report().failed()) {
        System.err.println(
            "groups from " + batch.firstGroup() + ": " + batch.outcome() + " " + batch.failure());
      }
    }
  }

  static void sell(StockroomClient client, int pid, String orderNumber) {
    try {
      AdjustReport sold =
          client.adjust(
              List.of(Adjustment.entry(pid, "red", 36).change(-2)),
              CallOptions.idempotencyKey(orderNumber));
      System.out.println(sold.entries().get(0).after() + " left");
    } catch (AdjustRejectedException rejected) {
      rejected
          .failures()
          .forEach(failure -> System.err.println(failure.reason() + ", now " + failure.current()));
    }
  }

  static void follow(StockroomClient client, String cursor, Consumer<String> save) {
    try (ChangeStream stream = client.changes(cursor)) {
      for (ChangePage page : stream) {
        for (Change change : page.changes()) {
          if (change instanceof StockChange stock) {
            stock.entries().forEach(entry -> System.out.println(stock.artNo() + " " + entry));
          }
        }
        save.accept(page.cursor());
      }
    }
  }

  static void mirror(StockroomClient client, DataSource database, int pid)
      throws InterruptedException {
    JdbcMirrorStore store = new JdbcMirrorStore(database, "acme").createTables();
    StockMirror mirror = new StockMirror(client, store);
    mirror.sync();
    Thread following = new Thread(mirror::follow);
    following.start();

    System.out.println(mirror.stock(pid, "red", 36));
    Verification proof = mirror.verify();
    System.out.println("equal: " + proof.digest() + ", repaired: " + proof.repaired());
    mirror.close();
    following.join();
  }

  static int receive(Function<String, @Nullable String> header, byte[] body, String secret) {
    try {
      WebhookMessage message = Webhooks.verify(header, body, secret);
      message.changes().forEach(System.out::println);
      return 204;
    } catch (WebhookVerificationException rejected) {
      System.err.println(rejected.reason() + ": " + rejected.getMessage());
      return 400;
    }
  }

  static void failures(StockroomClient client, int pid) {
    try {
      System.out.println(client.detail(pid).product().title());
    } catch (LimitReachedException limit) {
      System.err.println("come back in " + limit.retryAfter() + ": " + limit.getMessage());
    } catch (AuthenticationException rejected) {
      rejected.problems().forEach(System.err::println);
    } catch (StockroomException other) {
      System.err.println("request " + other.requestId() + " failed: " + other.getMessage());
    }
  }

  static class ShopTest {
    @Test
    void listsWhatWasAdded() {
      try (var server = StockroomServer.start()) {
        var acme = server.merchant("Acme");
        int pid = acme.addProduct();
        acme.addStock(pid, "red", "36-40", 20);

        try (var client = acme.client()) {
          assertThat(client.stock(pid)).hasSize(5);
        }
      }
    }
  }

  static StockroomServer strict() {
    return StockroomServer.start(
        Map.of("limits.create-interval", "PT2S", "limits.detail-per-day", "3"));
  }

  private Snippets() {}
}
