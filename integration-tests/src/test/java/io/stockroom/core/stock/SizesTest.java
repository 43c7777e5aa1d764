package io.stockroom.core.stock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.files.imports.read.Columns;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Sizes of every kind, through every call. */
class SizesTest {
  /** In people's order. */
  private static final List<String> SORTED =
      List.of("9", "36", "36.5", "38 2/3", "XXS", "S", "2XL", "XXL", "175/92A", "One size", "均码");

  private final TestMerchant merchant = TestMerchant.on(TestServer.other());
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  private void createAll() {
    List<String> items = new ArrayList<>();
    SORTED.reversed().forEach(size -> items.add(Stock.size(size, items.size() + 1)));
    Reply reply = api.create(Stock.list(Stock.group(pid, "red", items.toArray(String[]::new))));
    assertThat(reply.success()).as(reply.body()).isTrue();
  }

  @Test
  void areListedInTheOrderOfPeopleWithNumbersAsNumbers() {
    createAll();

    List<JsonNode> entries = api.stock(pid).data();

    assertThat(entries).extracting(entry -> entry.get("size").asString()).isEqualTo(SORTED);
    assertThat(entries.stream().filter(entry -> entry.get("size").isInt()))
        .extracting(entry -> entry.get("size").asInt())
        .containsExactly(9, 36);
    assertThat(api.detail(pid).json().at("/data/skus/0/size").asString())
        .isEqualTo(String.join(",", SORTED));
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void travelThroughAdjustChangesAndSnapshot() {
    createAll();

    Reply adjusted =
        api.adjust(
            """
            [{"pid":%1$d,"color":"red","size":"xxl","change":1},
             {"pid":%1$d,"color":"red","size":36,"change":1},
             {"pid":%1$d,"color":"red","size":"３６.5","set":7}]\
            """
                .formatted(pid));

    assertThat(adjusted.json().get("entries").valueStream())
        .extracting(entry -> entry.get("size").toString())
        .containsExactly("\"XXL\"", "36", "\"36.5\"");
    assertThat(
            sizes(
                api.call("/Changes")
                    .form("")
                    .send()
                    .json()
                    .at("/changes")
                    .valueStream()
                    .filter(change -> change.get("kind").asString().equals("stock"))
                    .toList()
                    .getFirst()))
        .isEqualTo(SORTED);
    assertThat(sizes(api.call("/Stock/Snapshot").form("").send().json().at("/products/0")))
        .isEqualTo(SORTED);
  }

  private static List<String> sizes(JsonNode holder) {
    return holder.get("entries").valueStream().map(entry -> entry.get("size").asString()).toList();
  }

  @Test
  void areOneWithoutRegardToCaseAndStayAsFirstWritten() {
    api.create(Stock.one(pid, "red", "One size", 1));

    api.create(Stock.one(pid, "red", "ONE  size", 2));
    api.create(Stock.one(pid, "blue", "one size", 3));
    Reply twice =
        api.create(Stock.list(Stock.group(pid, "red", Stock.size("xl", 1), Stock.size("XL", 1))));

    assertThat(api.stock(pid).data("size")).containsExactly("One size", "one size");
    assertThat(api.stock(pid).data("stock")).containsExactly("2", "3");
    assertThat(twice.codes()).containsExactly("ENTRY_REPEATED");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"40-36", "1-101", "S-XL", "S,M", "", "123456789012345678901"})
  void neverTakesMoreThanOneText(String size) {
    assertThat(api.create(Stock.one(pid, "red", size, 1)).status()).isEqualTo(400);
  }

  @Test
  void areTextsInACreateOnlyIfTheMarketplaceAllowsIt() {
    TestMerchant strict = TestMerchant.fresh();
    int product = strict.product();

    assertThat(strict.api().create(Stock.one(product, "red", "XL", 1)).codes())
        .containsExactly("SIZE_FORMAT");
    assertThat(sizesInCreate(strict.api())).isEqualTo("numbers");
    assertThat(sizesInCreate(api)).isEqualTo("any");
    assertThat(
            strict
                .imports()
                .apply("p.csv", "artNo,title,price,color,size,quantity\nB1,t,1,red,XL,3\n")
                .json()
                .get("state")
                .asString())
        .isEqualTo("applied");
  }

  private static String sizesInCreate(Api caller) {
    return caller.call("/Usage").form("").send().json().at("/data/sizesInCreate").asString();
  }

  @Test
  void areImportedInBothLayoutsAndExportedInOrder() {
    String file =
        """
        artNo,title,price,color,size,quantity
        B1,Shirt,5,red,XL,4
        B1,,,red,均码,1
        B1,,,red,m,2
        B1,,,red,36–37,3
        """;
    assertThat(merchant.imports().apply("p.csv", file).json().get("state").asString())
        .isEqualTo("applied");
    merchant.imports().apply("w.csv", "artNo,title,price,color,M,36.5\nB1,Shirt,5,red,9,8\n");

    String csv = export("csv");
    String lines = export("jsonl");

    assertThat(csv.lines().filter(line -> line.contains("red")).map(line -> line.split(",")[11]))
        .containsExactly("36", "36.5", "37", "m", "XL", "均码");
    assertThat(lines).contains("{\"size\":36,\"quantity\":3}", "{\"size\":\"m\",\"quantity\":9}");
    Reply again = merchant.imports().run("p.jsonl", lines.getBytes(UTF_8), "apply=true");
    assertThat(again.json().get("unchanged").asInt()).isEqualTo(2);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  private String export(String format) {
    return Admin.of(TestServer.other())
        .get("/admin/merchants/%d/products/export?format=%s".formatted(merchant.id(), format))
        .body();
  }

  /** A file without a header has columns L, M and S, too. */
  @Test
  void areNotTheLettersOfAFileWithoutAHeader() throws Exception {
    List<String> letters = List.of("A B C D E F G H I J K L M N O P Q R S T".split(" "));

    assertThat(Columns.of(letters, Map.of("A", "artNo"), Map.of()).wide()).isFalse();
    assertThat(Columns.of(List.of("artNo", "L"), Map.of(), Map.of()).wide()).isTrue();
  }
}
