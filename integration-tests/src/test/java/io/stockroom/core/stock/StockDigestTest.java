package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.changes.ChangeLog;
import io.stockroom.protocol.Size;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** {@code POST /Stock/Digest}, compared with digests that the test computes from a snapshot. */
class StockDigestTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void isThatOfNoBytesWithoutStock() throws Exception {
    merchant.product();

    Reply reply = digest();

    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":true,"msg":"","cursor":"%s","products":0,"entries":0,\
            "digest":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","blocks":[]}"""
                .formatted(Feed.latest(api)));
  }

  @Test
  void hasTheDocumentedForm() throws Exception {
    int product = merchant.product();
    api.create(
        Stock.list(
            Stock.group(product, "红", Stock.size("9", 1)),
            Stock.group(product, "b", Stock.size("10", 2147483647), Stock.size("9", 0))));
    String lines = "%1$d\tb\t9\t0\n%1$d\tb\t10\t2147483647\n%1$d\t红\t9\t1\n".formatted(product);
    byte[] block = sha256(lines.getBytes(StandardCharsets.UTF_8));

    Reply reply = digest();

    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":true,"msg":"","cursor":"%s","products":1,"entries":3,"digest":"%s",\
            "blocks":[{"block":%d,"digest":"%s"}]}"""
                .formatted(Feed.latest(api), hex(sha256(block)), product / 256, hex(block)));
  }

  /** Colors whose order differs between bytes, UTF-16 and collations. */
  @Test
  void sortsColorsByTheirBytes() throws Exception {
    List<Integer> products = merchant.products(3);
    for (int product : products) {
      api.create(
          Stock.list(
              Stock.group(product, "z", Stock.size("1-12", 3)),
              Stock.group(product, "Z", Stock.size("2", 3)),
              Stock.group(product, "ä", Stock.size("2", 3)),
              Stock.group(product, "a b", Stock.size("2", 3)),
              Stock.group(product, "ab", Stock.size("2", 3)),
              Stock.group(product, "a", Stock.size("2", 3)),
              Stock.group(product, "\uff01", Stock.size("2", 3)),
              Stock.group(product, "\ud83d\ude00", Stock.size("2", 3))));
    }

    assertEqualsOwn(digest());
  }

  @Test
  void followsEveryChangeAndIsStoredBetween() throws Exception {
    List<Integer> products = merchant.products(300);
    for (int i = 0; i < products.size(); i += 50) {
      api.create(Stock.one(products.get(i), "red", "36-40", i));
    }
    Reply first = digest();
    assertEqualsOwn(first);
    assertThat(first.json().get("blocks").size()).isGreaterThan(1);
    assertThat(digest().body()).isEqualTo(first.body());

    api.create(Stock.one(products.get(0), "red", "38", 77));
    Reply second = digest();

    assertEqualsOwn(second);
    List<String> changed = new ArrayList<>();
    for (int i = 0; i < blocks(first).size(); i++) {
      if (!blocks(first).get(i).equals(blocks(second).get(i))) {
        changed.add(blocks(second).get(i));
      }
    }
    assertThat(changed).hasSize(1);
    merchant.product();
    Reply third = digest();
    assertThat(blocks(third)).isEqualTo(blocks(second));
    assertThat(third.json().get("cursor").asString()).isEqualTo(Feed.latest(api));
  }

  @Test
  void computesEverythingAgainIfTheLogNoLongerReachesBack() throws Exception {
    int product = merchant.product();
    api.create(Stock.one(product, "red", "36", 1));
    digest();
    api.create(Stock.one(product, "red", "36", 2));
    merchant.texts(
        """
        update change_log set at = now() - interval '91 days' where merchant_id = ? returning 1
        """);
    new ChangeLog(merchant.server().cells()).deleteOld(90);

    assertEqualsOwn(digest());
  }

  @Test
  void concurrentCallsOnTwoNodesAreRightWhileStockChanges() throws Exception {
    List<Integer> products = merchant.products(4);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> digests = new ArrayList<>();
      for (int round = 1; round <= 5; round++) {
        api.create(Stock.one(products.get(round % 4), "red", "36-40", round));
        for (int i = 0; i < 4; i++) {
          Api node = api.on(i % 2 == 0 ? api.server() : Nodes.strict());
          digests.add(threads.submit(() -> node.call("/Stock/Digest").form("").send()));
        }
      }
      Map<String, String> byCursor = new TreeMap<>();
      for (Future<Reply> each : digests) {
        Reply reply = each.get();
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        String before = byCursor.put(reply.json().get("cursor").asString(), reply.body());
        assertThat(before).isIn(null, reply.body());
      }
    }

    assertEqualsOwn(digest());
  }

  @Test
  void isOfOneMerchant() throws Exception {
    api.create(Stock.one(merchant.product(), "red", "36", 1));
    TestMerchant other = TestMerchant.fresh();
    Reply before = other.api().call("/Stock/Digest").form("").send();
    digest();

    assertThat(before.json().get("entries").asInt()).isZero();
    assertThat(other.api().call("/Stock/Digest").form("").send().body()).isEqualTo(before.body());
  }

  private Reply digest() {
    return api.call("/Stock/Digest").send();
  }

  private void assertEqualsOwn(Reply reply) throws Exception {
    TreeMap<Integer, String> blocks = new TreeMap<>();
    int entries = 0;
    int products = 0;
    for (JsonNode product : snapshot()) {
      products++;
      List<JsonNode> sorted =
          product
              .get("entries")
              .valueStream()
              .sorted(
                  Comparator.comparing(
                          (JsonNode entry) -> entry.get("color").asString(),
                          (a, b) ->
                              Arrays.compareUnsigned(
                                  a.getBytes(StandardCharsets.UTF_8),
                                  b.getBytes(StandardCharsets.UTF_8)))
                      .thenComparing(
                          entry -> Size.of(entry.get("size").asString()), Size.BY_CHARACTERS))
              .toList();
      for (JsonNode entry : sorted) {
        entries++;
        int pid = product.get("pid").asInt();
        blocks.merge(
            pid / 256,
            "%d\t%s\t%s\t%d\n"
                .formatted(
                    pid,
                    entry.get("color").asString(),
                    entry.get("size").asString(),
                    entry.get("stock").asInt()),
            String::concat);
      }
    }
    MessageDigest whole = MessageDigest.getInstance("SHA-256");
    List<String> shown = new ArrayList<>();
    for (Map.Entry<Integer, String> block : blocks.entrySet()) {
      byte[] digest = sha256(block.getValue().getBytes(StandardCharsets.UTF_8));
      whole.update(digest);
      shown.add(block.getKey() + " " + hex(digest));
    }
    assertThat(blocks(reply)).isEqualTo(shown);
    assertThat(reply.json().get("digest").asString()).isEqualTo(hex(whole.digest()));
    assertThat(reply.json().get("entries").asInt()).isEqualTo(entries);
    assertThat(reply.json().get("products").asInt()).isEqualTo(products);
    assertThat(reply.json().get("cursor").asString()).isEqualTo(Feed.latest(api));
  }

  private List<JsonNode> snapshot() {
    Reply reply = api.call("/Stock/Snapshot").form("limit=500").send();
    assertThat(reply.json().get("next").asString()).isEmpty();
    return reply.json().get("products").valueStream().toList();
  }

  private static List<String> blocks(Reply reply) {
    return reply
        .json()
        .get("blocks")
        .valueStream()
        .map(block -> block.get("block").asInt() + " " + block.get("digest").asString())
        .toList();
  }

  private static byte[] sha256(byte[] bytes) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(bytes);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
