package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random catalogs import to the same products from every format and layout. */
class RandomCatalogueTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> WORDS =
      List.of("红色", "black", "a,b", "\"x\"", "two\nlines", "'=1", "-5", "é", "👟", "a;b|c", "\\");
  private static final List<String> COLORS = List.of("红", "blue", "a,b", "x\"y", "藏青 2");

  private record Entry(int quantity) {}

  private record Product(
      String artNo,
      String title,
      String price,
      String description,
      List<String> imgs,
      Map<String, String> attributes,
      Map<String, Map<Integer, Entry>> stock) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void importTheSameFromEveryFormatAndLayout(long seed) {
    List<Product> products = products(new Random(seed));
    List<List<String>> longRows = longRows(products);
    List<List<String>> wideRows = wideRows(products);
    List<List<String>> shuffled = shuffled(longRows, seed);

    List<String> expected = imported("p.jsonl", jsonLines(products).getBytes(UTF_8));

    assertThat(expected).hasSizeGreaterThan(products.size());
    assertThat(imported("long.csv", csv(longRows, ',').getBytes(UTF_8))).isEqualTo(expected);
    assertThat(imported("wide.csv", csv(wideRows, ';').getBytes(UTF_8))).isEqualTo(expected);
    assertThat(imported("apart.csv", csv(shuffled, '\t').getBytes(UTF_8)))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(imported("long.xlsx", Sheets.of(longRows))).isEqualTo(expected);
    assertThat(imported("wide.xlsx", Sheets.of(wideRows))).isEqualTo(expected);
  }

  /** Imports twice, the second time without a change, and returns everything but the ids. */
  private static List<String> imported(String name, byte[] file) {
    TestMerchant merchant = TestMerchant.fresh();
    Reply first = merchant.imports().run(name, file, "apply=true");
    assertThat(first.json().get("state").asString()).as(first.body()).isEqualTo("applied");
    Reply second = merchant.imports().run(name, file, "apply=true");
    assertThat(counts(second))
        .isEqualTo("applied 0 0 " + first.json().get("created").asInt() + " 0");
    assertThat(merchant.inconsistencies()).isEmpty();
    List<String> all =
        merchant.texts(
            """
            select concat_ws('§', p.art_no, d.title, d.price, d.description, d.imgs,
              d.attribute_names, d.attribute_values, p.pic)
            from product p join product_detail d using (merchant_id, product_id)
            where merchant_id = ? order by p.art_no""");
    all.addAll(
        merchant.texts(
            """
            select concat_ws('§', p.art_no, c.color, e.size_text, e.quantity)
            from stock_entry e join stock_color c using (merchant_id, product_id, color_no)
            join product p using (merchant_id, product_id)
            where merchant_id = ? order by p.art_no, c.color, e.size"""));
    return all;
  }

  private static List<Product> products(Random random) {
    List<Product> products = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      List<String> imgs = new ArrayList<>();
      for (int n = random.nextInt(3); n > 0; n--) {
        imgs.add("https://i.example/" + i + "/" + n + ".jpg");
      }
      Map<String, String> attributes = new LinkedHashMap<>();
      for (int n = random.nextInt(3); n > 0; n--) {
        attributes.put("name" + n + ":|", "value \\ " + random.nextInt());
      }
      Map<String, Map<Integer, Entry>> stock = new LinkedHashMap<>();
      for (String color : COLORS.subList(0, random.nextInt(COLORS.size()))) {
        Map<Integer, Entry> sizes = new LinkedHashMap<>();
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
          sizes.put(35 + random.nextInt(8), new Entry(random.nextInt(100)));
        }
        stock.put(color, sizes);
      }
      products.add(
          new Product(
              "A-" + i,
              "Shoe " + WORDS.get(random.nextInt(4)) + " " + i,
              random.nextInt(500) + "." + (10 + random.nextInt(90)),
              "Text " + WORDS.get(random.nextInt(WORDS.size())) + " end",
              imgs,
              attributes,
              stock));
    }
    return products;
  }

  private static String jsonLines(List<Product> products) {
    StringBuilder lines = new StringBuilder();
    for (Product product : products) {
      ObjectNode node = JSON.createObjectNode();
      node.put("artNo", product.artNo)
          .put("title", product.title)
          .put("price", new BigDecimal(product.price))
          .put("description", product.description);
      product.imgs.forEach(node.putArray("imgs")::add);
      ArrayNode attributes = node.putArray("attributes");
      product.attributes.forEach(
          (name, value) -> attributes.addObject().put("name", name).put("value", value));
      ArrayNode skus = node.putArray("skus");
      product.stock.forEach(
          (color, sizes) -> {
            ArrayNode list = skus.addObject().put("color", color).putArray("sizes");
            sizes.forEach(
                (size, entry) ->
                    list.addObject().put("size", size).put("quantity", entry.quantity));
          });
      lines.append(node).append('\n');
    }
    return lines.toString();
  }

  private static List<String> productCells(Product product, boolean first) {
    if (!first) {
      return List.of(product.artNo, "", "", "", "", "");
    }
    StringBuilder attributes = new StringBuilder();
    product.attributes.forEach(
        (name, value) ->
            attributes.append(escaped(name)).append(": ").append(escaped(value)).append('|'));
    return List.of(
        product.artNo,
        product.title,
        product.price,
        product.description,
        String.join("|", product.imgs),
        attributes.toString());
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("|", "\\|").replace(":", "\\:");
  }

  private static List<List<String>> longRows(List<Product> products) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "artNo",
            "title",
            "price",
            "description",
            "imgs",
            "attributes",
            "color",
            "size",
            "quantity"));
    for (Product product : products) {
      boolean first = true;
      if (product.stock.isEmpty()) {
        rows.add(joined(productCells(product, true), List.of("", "", "")));
      }
      for (Map.Entry<String, Map<Integer, Entry>> color : product.stock.entrySet()) {
        for (Map.Entry<Integer, Entry> size : color.getValue().entrySet()) {
          rows.add(
              joined(
                  productCells(product, first),
                  List.of(color.getKey(), "" + size.getKey(), "" + size.getValue().quantity)));
          first = false;
        }
      }
    }
    return rows;
  }

  private static List<List<String>> wideRows(List<Product> products) {
    TreeSet<Integer> sizes = new TreeSet<>();
    products.forEach(p -> p.stock.values().forEach(color -> sizes.addAll(color.keySet())));
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        joined(
            List.of("artNo", "title", "price", "description", "imgs", "attributes", "color"),
            sizes.stream().map(String::valueOf).toList()));
    for (Product product : products) {
      boolean first = true;
      if (product.stock.isEmpty()) {
        rows.add(joined(productCells(product, true), Collections.nCopies(sizes.size() + 1, "")));
      }
      for (Map.Entry<String, Map<Integer, Entry>> color : product.stock.entrySet()) {
        List<String> cells = new ArrayList<>(productCells(product, first));
        cells.add(color.getKey());
        for (int size : sizes) {
          Entry entry = color.getValue().get(size);
          cells.add(entry == null ? "" : "" + entry.quantity);
        }
        rows.add(cells);
        first = false;
      }
    }
    return rows;
  }

  private static List<List<String>> shuffled(List<List<String>> rows, long seed) {
    List<List<String>> body = new ArrayList<>(rows.subList(1, rows.size()));
    Collections.shuffle(body, new Random(seed));
    body.addFirst(rows.getFirst());
    return body;
  }

  private static List<String> joined(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private static String csv(List<List<String>> rows, char delimiter) {
    StringBuilder csv = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        String guarded = cell.matches("(?s)'*[=+\\-@\\t\\r\\n].*") ? "'" + cell : cell;
        csv.append(i == 0 ? "" : delimiter + "").append('"');
        csv.append(guarded.replace("\"", "\"\"")).append('"');
      }
      csv.append("\r\n");
    }
    return csv.toString();
  }
}
