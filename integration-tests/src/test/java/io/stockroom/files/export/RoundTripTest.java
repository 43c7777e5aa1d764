package io.stockroom.files.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An exported file imports without a difference, whatever characters the texts contain. */
class RoundTripTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final long SEED = 20260115;
  private static final int PRODUCTS = 60;

  /** Characters with and without a special meaning in one of the formats. */
  private static final List<String> PIECES =
      List.of(
          "=", "+", "-", "@", "＝", "＋", "－", "＠", "'", "''", "\"", ",", ";", "|", ":", "\\", "\\|",
          "a: b", "&amp;", "_x000D_", "_x005F_", "鞋", "😀", "é", "0012", "1e5", "36", "#", "{", "}",
          " ", "z");

  private static final List<String> BLOCK_PIECES = List.of("\n", "\r\n", "\r", "\t", "  ");

  private final Random random = new Random(SEED);
  private final TestMerchant merchant = TestMerchant.fresh();

  @ParameterizedTest
  @ValueSource(strings = {"csv", "xlsx", "jsonl"})
  void importsAnExportWithoutADifference(String format) {
    fill();
    byte[] exported = export(merchant, format);

    Reply plan = merchant.imports().run("products." + format, exported, "apply=false");

    assertThat(plan.json().path("errors")).as("seed " + SEED).isEmpty();
    assertThat(plan.json().path("differences")).as("seed " + SEED).isEmpty();
    assertThat(plan.json().path("unchanged").asInt()).isEqualTo(PRODUCTS);
    assertThat(plan.json().path("created").asInt()).isZero();

    TestMerchant other = TestMerchant.fresh();
    Reply applied = other.imports().run("products." + format, exported, "apply=true");
    assertThat(applied.json().path("state").asString()).as(applied.body()).isEqualTo("applied");
    assertThat(applied.json().path("created").asInt()).isEqualTo(PRODUCTS);
    assertThat(new String(export(other, "jsonl"), UTF_8))
        .isEqualTo(new String(export(merchant, "jsonl"), UTF_8));
  }

  private void fill() {
    String lines =
        IntStream.range(0, PRODUCTS).mapToObj(this::line).collect(Collectors.joining("\n"));
    Reply reply = merchant.importProducts(lines);
    assertThat(reply.json().path("created").asInt()).as(reply.body()).isEqualTo(PRODUCTS);
    List<Integer> ids = merchant.productIds();
    for (int i = 0; i < PRODUCTS; i += 2) {
      ArrayNode groups = JSON.createArrayNode();
      for (int color = 0; color < 3; color++) {
        ObjectNode group = groups.addObject();
        group.put("color", "c" + color + word()).put("pid", ids.get(i));
        ArrayNode sizes = group.putArray("param");
        sizes.addObject().put("size", "36-37").put("stock", random.nextInt(100));
        sizes
            .addObject()
            .put("size", "" + (40 + color))
            .put("stock", 0)
            .put("barCode", i + "-" + color + word());
      }
      assertThat(merchant.api().create(groups.toString()).success()).isTrue();
    }
    assertThat(merchant.api().create(Stock.one(ids.get(1), "=red", "1", 2147483647)).success())
        .isTrue();
  }

  private String line(int number) {
    ObjectNode product = JSON.createObjectNode();
    product.put("artNo", word() + number).put("title", word());
    product.put("price", random.nextInt(100_000) / 100.0);
    product.put("description", block());
    product.put("categoryIdTree", number % 3 == 0 ? "1,2" : "");
    product.put("categoryNameTree", number % 3 == 0 ? "a:b," + word().replace(",", "") : "");
    product.putArray("imgs").add("http://p.example/" + number).add("https://p.example/鞋?a=1&b=2");
    product.put("video", number % 4 == 0 ? "http://p.example/v" : "");
    ArrayNode attributes = product.putArray("attributes");
    attributes.addObject().put("name", word()).put("value", word());
    attributes.addObject().put("name", word()).put("value", "");
    product
        .putArray("skus")
        .addObject()
        .put("color", word())
        .put("skuImg", "http://p.example/c" + number);
    return product.toString();
  }

  /** A non-empty text of one line without surrounding spaces. */
  private String word() {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(6); i >= 0; i--) {
      word.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    String trimmed = word.toString().strip();
    return trimmed.isEmpty() ? "w" : trimmed;
  }

  private String block() {
    StringBuilder block = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      block.append(word()).append(BLOCK_PIECES.get(random.nextInt(BLOCK_PIECES.size())));
    }
    return block.toString();
  }

  private static byte[] export(TestMerchant of, String format) {
    return Admin.of(TestServer.shared())
        .download("/admin/merchants/%d/products/export?format=%s".formatted(of.id(), format));
  }
}
