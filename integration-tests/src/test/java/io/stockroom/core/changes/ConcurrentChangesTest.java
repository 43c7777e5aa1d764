package io.stockroom.core.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Clients that follow the feed while two nodes write. */
class ConcurrentChangesTest {
  private static final int WRITERS = 6;
  private static final int CREATES = 20;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final List<Integer> products = merchant.products(3);
  private final List<TestServer> nodes = List.of(merchant.server(), Nodes.strict());

  @Test
  void followersOfEitherNodeSeeEveryChangeOnceAndInOrder() throws Exception {
    String start = Feed.latest(merchant.api());
    long last = products.size() + (long) WRITERS * CREATES * products.size();
    List<Feed> feeds = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        Feed feed = new Feed(merchant.application().on(nodes.get(i)), start);
        feeds.add(feed);
        running.add(threads.submit(() -> follow(feed, last)));
      }
      for (int writer = 0; writer < WRITERS; writer++) {
        Api api = merchant.application().on(nodes.get(writer % nodes.size()));
        int own = writer;
        running.add(threads.submit(() -> write(api, own)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }

    List<Long> expected = LongStream.rangeClosed(products.size() + 1, last).boxed().toList();
    for (Feed feed : feeds) {
      assertThat(Feed.numbers(feed.seen())).isEqualTo(expected);
      assertThat(replayed(feed)).isEqualTo(stock());
    }
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  private static boolean follow(Feed feed, long last) {
    while (feed.seen().isEmpty() || feed.seen().getLast().get("number").asLong() < last) {
      feed.next("limit=7&wait=10");
    }
    return true;
  }

  /** Every create changes an entry of its own and one that all writers change. */
  private boolean write(Api api, int writer) {
    for (int i = 1; i <= CREATES; i++) {
      List<String> groups = new ArrayList<>();
      for (int product : products) {
        groups.add(
            Stock.group(
                product,
                "red",
                Stock.size(Integer.toString(writer + 1), i),
                Stock.size("99", writer * 1000 + i)));
      }
      assertThat(api.create(Stock.list(groups.toArray(String[]::new))).success()).isTrue();
    }
    return true;
  }

  private Map<String, Integer> replayed(Feed feed) {
    Map<String, Integer> stock = new HashMap<>();
    for (JsonNode change : feed.seen()) {
      for (JsonNode entry : change.get("entries")) {
        Integer before = stock.put(entry.get("guid").asString(), entry.get("after").asInt());
        JsonNode said = entry.get("before");
        assertThat(said.isNull() ? null : said.asInt()).isEqualTo(before);
      }
    }
    return stock;
  }

  private Map<String, Integer> stock() {
    Map<String, Integer> stock = new HashMap<>();
    for (int product : products) {
      merchant
          .api()
          .stock(product)
          .data()
          .forEach(entry -> stock.put(entry.get("guid").asString(), entry.get("stock").asInt()));
    }
    return stock;
  }
}
