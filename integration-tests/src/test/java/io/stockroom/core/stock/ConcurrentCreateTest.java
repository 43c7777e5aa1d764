package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ConcurrentCreateTest {
  private static final int CLIENTS = 50;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final List<Integer> products = merchant.products(8);

  @Test
  void createsOneRowForTheSameEntryFrom50Clients() throws Exception {
    List<Reply> replies =
        fromAll(client -> Stock.one(products.getFirst(), "red", "36", client + 1));

    assertThat(replies).extracting(Reply::body).containsOnly("{\"success\":true,\"msg\":\"\"}");
    assertThat(merchant.entries()).isEqualTo(1);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void neverDeadlocksOnOverlappingEntriesInShuffledOrder() throws Exception {
    List<Reply> replies =
        fromAll(
            client -> {
              List<String> groups = new ArrayList<>();
              for (int product : products) {
                groups.add(Stock.group(product, "red", Stock.size("36-45", client)));
                groups.add(Stock.group(product, "blue", Stock.size("40-49", client)));
                groups.add(
                    Stock.group(
                        product,
                        "own" + client % 5,
                        Stock.size("1", client, product + "-" + client % 5)));
              }
              Collections.shuffle(groups, new Random(client));
              return Stock.list(groups.toArray(String[]::new));
            });

    assertThat(replies).extracting(Reply::body).containsOnly("{\"success\":true,\"msg\":\"\"}");
    assertThat(merchant.entries()).isEqualTo(8 * (10 + 10 + 5));
    assertThat(merchant.inconsistencies()).isEmpty();
    for (int product : products) {
      assertThat(merchant.api().stock(product).data("guid")).hasSize(25).doesNotHaveDuplicates();
    }
  }

  @Test
  void storesTheQuantitiesOfOneRequest() throws Exception {
    fromAll(client -> Stock.one(products.getFirst(), "red", "36-45", client));

    List<String> quantities = merchant.api().stock(products.getFirst()).data("stock");
    assertThat(quantities).hasSize(10).containsOnly(quantities.getFirst());
  }

  @Test
  void givesABarcodeToOneEntryOnly() throws Exception {
    List<Reply> replies =
        fromAll(
            client ->
                Stock.list(
                    Stock.group(products.get(client % 8), "c" + client, Stock.size("36", 1, "A"))));

    assertThat(replies).filteredOn(Reply::success).hasSize(1);
    assertThat(replies)
        .filteredOn(reply -> !reply.success())
        .allMatch(r -> r.msg().contains("\"A\""));
    assertThat(merchant.entries()).isEqualTo(1);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void appliesConcurrentCopiesOfARequestOnce() throws Exception {
    Api api = merchant.api();
    long timestamp = api.nextTimestamp();
    String body = Stock.one(products.getFirst(), "red", "36", 1);

    List<Reply> replies =
        together(client -> api.call("/Stock/Creat").json(body).at(timestamp).send());

    assertThat(replies).extracting(Reply::body).containsOnly("{\"success\":true,\"msg\":\"\"}");
    assertThat(merchant.texts("select count(*) from idempotent_reply where merchant_id = ?"))
        .containsExactly("1");
  }

  @Test
  void acceptsOneOfManyWithinTheInterval() throws Exception {
    Api api = merchant.api().on(TestServer.paced("PT1M"));

    List<Reply> replies =
        together(client -> api.create(Stock.one(products.getFirst(), "red", "" + (client + 1), 1)));

    assertThat(replies).filteredOn(reply -> reply.status() == 200).hasSize(1);
    assertThat(replies).filteredOn(reply -> reply.status() == 429).hasSize(CLIENTS - 1);
    assertThat(merchant.entries()).isEqualTo(1);
  }

  private List<Reply> fromAll(Function<Integer, String> body) throws Exception {
    List<Api> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(merchant.application());
    }
    return together(client -> admitted(clients.get(client), body.apply(client)));
  }

  /** Sends a create again while a busy server sheds it, as its message asks. */
  private static Reply admitted(Api api, String body) {
    Reply reply = api.create(body);
    while (reply.status() == 503) {
      reply = api.create(body);
    }
    return reply;
  }

  /** Runs all clients at once and collects their responses. */
  private static List<Reply> together(Function<Integer, Reply> client) throws Exception {
    CountDownLatch ready = new CountDownLatch(CLIENTS);
    List<Future<Reply>> running = new ArrayList<>();
    List<Reply> replies = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        running.add(
            threads.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return client.apply(number);
                }));
      }
      for (Future<Reply> one : running) {
        replies.add(one.get());
      }
    }
    return replies;
  }
}
