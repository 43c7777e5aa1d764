package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** 64 clients on three nodes compete for the last unit of a limit: exactly one gets it. */
class LastUnitRaceTest {
  private static final int CLIENTS = 64;
  private static final int MAX_RESENDS = 50;

  /** Run more rounds with {@code -Dstockroom.race.rounds=1000}. */
  private static final int ROUNDS = Integer.getInteger("stockroom.race.rounds", 4);

  /** The request of one client. */
  private interface Shot {
    Reply send(TestServer node, int client);
  }

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void oneClientGetsTheLastDetailOfTheDay() throws Exception {
    Nodes.setLimits(merchant, "\"limits.detail-per-day\":\"3\"");
    int pid = merchant.product();
    api.detail(pid);
    api.detail(pid);

    for (int round = 0; round < ROUNDS; round++) {
      List<Reply> replies = race((node, client) -> detail(node, client, pid));

      assertThat(replies).allMatch(reply -> reply.status() == 200);
      assertThat(replies).filteredOn(Reply::success).hasSize(1);
      assertThat(texts("select used from detail_usage where merchant_id = ?")).containsExactly("3");
      run("update detail_usage set used = 2 where merchant_id = :merchantId");
    }
  }

  @Test
  void oneClientGetsTheLastProductOfAStore() throws Exception {
    Nodes.setLimits(
        merchant, "\"limits.store-products\":\"1\",\"limits.detail-per-day\":\"100000\"");
    List<Integer> pids = merchant.products(CLIENTS);

    for (int round = 0; round < ROUNDS; round++) {
      List<Reply> replies = race((node, client) -> detail(node, client, pids.get(client)));

      assertThat(replies).allMatch(reply -> reply.status() == 200);
      assertThat(replies).filteredOn(Reply::success).hasSize(1);
      assertThat(texts("select products from store_usage where merchant_id = ?"))
          .containsExactly("1");
      assertThat(texts("select product_id from store_product where merchant_id = ?")).hasSize(1);
      assertThat(texts("select used from detail_usage where merchant_id = ?"))
          .containsExactly("" + (round + 1));
      run("delete from store_product where merchant_id = :merchantId");
      run("delete from store_usage where merchant_id = :merchantId");
    }
  }

  /** The grace is 0, so that each fetch and each result changes what is due. */
  @Test
  void fetchesAndResultsOnThreeNodesAreCountedExactly() throws Exception {
    Nodes.setLimits(
        merchant,
        "\"limits.publish-grace\":\"P0D\",\"limits.publish-minimum\":\"100000\","
            + "\"limits.detail-per-day\":\"100000\"");
    List<Integer> pids = merchant.products(CLIENTS / 2);

    for (int round = 0; round < ROUNDS; round++) {
      String result = round % 2 == 0 ? "published" : "failed";
      List<Reply> replies =
          race(
              (node, client) ->
                  client % 2 == 0
                      ? detail(node, client, pids.get(client / 2))
                      : publish(node, client, pids.get(client / 2), result));

      assertThat(replies).allMatch(Reply::success);
      assertThat(texts("select due from detail_usage where merchant_id = ?"))
          .containsExactly("" + CLIENTS / 2);
      assertThat(texts("select due_reported from detail_usage where merchant_id = ?"))
          .containsExactly("" + CLIENTS / 2);
      assertThat(texts("select due_published from detail_usage where merchant_id = ?"))
          .containsExactly(round % 2 == 0 ? "" + CLIENTS / 2 : "0");
    }
  }

  @Test
  void oneClientGetsTheCreateOfAnInterval() throws Exception {
    Nodes.setLimits(merchant, "\"limits.create-interval\":\"PT1H\"");
    int pid = merchant.product();

    for (int round = 0; round < ROUNDS; round++) {
      int size = 100 + round;
      List<Reply> replies =
          race(
              (node, client) ->
                  send(
                      node,
                      client,
                      "/Stock/Creat",
                      "application/json",
                      Stock.one(pid, "color " + client, "" + size, 1)));

      assertThat(replies).filteredOn(reply -> reply.status() == 200).hasSize(1);
      assertThat(replies).filteredOn(reply -> reply.status() == 429).hasSize(CLIENTS - 1);
      assertThat(merchant.entries()).isEqualTo(round + 1);
      run("update call_rate set calls = '{}' where merchant_id = :merchantId");
      run("delete from idempotent_reply where merchant_id = :merchantId");
    }
  }

  /** Each client is another application, so that only the product's lock keeps them apart. */
  @Test
  void oneClientSellsTheLastPair() throws Exception {
    Nodes.setLimits(merchant, "\"limits.adjust-per-second\":\"0\"");
    int pid = merchant.product();
    List<Api> sellers = Stream.generate(merchant::application).limit(8).toList();
    String sale = "[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":-1}]".formatted(pid);

    for (int round = 0; round < ROUNDS; round++) {
      api.create(Stock.one(pid, "red", "36", 1));
      List<Reply> replies =
          race((node, client) -> sellers.get(client % sellers.size()).on(node).adjust(sale));

      assertThat(replies).filteredOn(Reply::success).hasSize(1);
      assertThat(replies)
          .filteredOn(reply -> !reply.success())
          .allMatch(reply -> reply.codes().equals(List.of("STOCK_INSUFFICIENT")));
      assertThat(api.stock(pid).data("stock")).containsExactly("0");
    }
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  private List<Reply> race(Shot shot) throws Exception {
    List<TestServer> nodes = Nodes.three();
    CyclicBarrier start = new CyclicBarrier(CLIENTS);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> running = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        running.add(
            clients.submit(
                () -> {
                  start.await();
                  return shot.send(nodes.get(client % nodes.size()), client);
                }));
      }
      List<Reply> replies = new ArrayList<>();
      for (Future<Reply> reply : running) {
        replies.add(reply.get());
      }
      for (int client = 0; client < CLIENTS; client++) {
        // a busy machine may shed load, which changes nothing; after all have run, there is room
        for (int again = 0; again < MAX_RESENDS && replies.get(client).status() == 503; again++) {
          replies.set(client, shot.send(nodes.get(client % nodes.size()), client));
        }
      }
      return replies;
    }
  }

  private Reply detail(TestServer node, int client, int pid) {
    return send(node, client, "/Product/Detail", "application/x-www-form-urlencoded", "pid=" + pid);
  }

  private Reply publish(TestServer node, int client, int pid, String result) {
    String body = "[{\"pid\":%d,\"result\":\"%s\"}]".formatted(pid, result);
    return send(node, client, "/Product/Publish", "application/json", body);
  }

  /** Each client uses a different second, because a create is identified by its timestamp. */
  private Reply send(TestServer node, int client, String path, String type, String body) {
    String timestamp = Long.toString(Instant.now().getEpochSecond() - 100 + client);
    return Http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + path))
            .POST(BodyPublishers.ofString(body))
            .header("appid", api.appid())
            .header("accesstoken", api.accesstoken())
            .header("timestamp", timestamp)
            .header("sign", Signature.sign(api.secret(), timestamp))
            .header("Content-Type", type));
  }

  private List<String> texts(String sql) {
    return merchant.texts(sql);
  }

  private void run(String sql) throws SQLException {
    TestServer.shared()
        .database()
        .write(connection -> Sql.of(sql).on(connection).set("merchantId", merchant.id()).update());
  }
}
