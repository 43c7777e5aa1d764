package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static io.stockroom.files.imports.ProductImportTest.errors;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Reading tables: encodings, delimiters, columns, layouts. */
class SpreadsheetImportTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @ParameterizedTest
  @CsvSource({
    "UTF-8, '', UTF-8",
    "UTF-8, bom, UTF-8",
    "UTF-16LE, bom, UTF-16LE",
    "UTF-16BE, bom, UTF-16BE",
    "GBK, '', GBK",
    "GB18030, '', GBK"
  })
  void detectsTheEncoding(String encoding, String mark, String shown) {
    String text = "货号,标题,价格\nA1,冬季真皮短靴女款,128.50\n";
    byte[] bytes = ((mark.isEmpty() ? "" : "\uFEFF") + text).getBytes(Charset.forName(encoding));

    Reply reply = merchant.imports().run("products.csv", bytes, "apply=true");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 0");
    assertThat(reply.json().at("/source/encoding").asString()).isEqualTo(shown);
    assertThat(titles()).containsExactly("冬季真皮短靴女款");
  }

  @Test
  void readsInTheRequestedEncoding() {
    byte[] bytes = "artNo,title,price\nA1,Größe,5\n".getBytes(Charset.forName("windows-1252"));

    Reply reply = merchant.imports().run("products.csv", bytes, "apply=true&encoding=windows-1252");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 0");
    assertThat(titles()).containsExactly("Größe");
  }

  @ParameterizedTest
  @ValueSource(strings = {",", ";", "\t", "|"})
  void detectsTheDelimiter(String delimiter) {
    String text =
        "artNo,title,price\nA1,\"a,b;c|d\",5\n".replace("artNo,title,price", "artNo§title§price");
    text = text.replace("A1,", "A1§").replace(",5", "§5").replace("§", delimiter);

    Reply reply = merchant.imports().apply("products.csv", text);

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 0");
    assertThat(reply.json().at("/source/delimiter").asString()).isEqualTo(delimiter);
    assertThat(titles()).containsExactly("a,b;c|d");
  }

  @ParameterizedTest
  @CsvSource({
    "'Item No,NAME,Unit Price'",
    "'item_no, Product Name ,Price (CNY)'",
    "'SKU,Title,price'",
    "'货号,商品名称,单价'",
    "'款号,标题,价格（元）'",
    "'商品编号,品名,批发价'"
  })
  void recognizesColumnsByManyNames(String header) {
    Reply reply = merchant.imports().apply("products.csv", header + "\nA1,Boot,5\n");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 0");
    assertThat(reply.json().at("/source/columns").valueStream().map(c -> c.get("field").asString()))
        .containsExactly("artNo", "title", "price");
  }

  @Test
  void listsUnknownColumns() {
    Reply reply =
        merchant.imports().apply("products.csv", "artNo,title,price,Note,reason\nA1,t,1,x,y\n");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 0");
    assertThat(reply.json().get("ignored").toString()).isEqualTo("[\"Note\"]");
  }

  @Test
  void remembersAColumnMappingForTheMerchant() {
    String file = "Ref,Wording,Yuan,price\nA1,Boot,5,99\n";
    String map = "&map=" + encoded("Ref=artNo") + "&map=" + encoded("Wording=title") + "&map=";

    Reply first =
        merchant
            .imports()
            .run(
                "p.csv",
                file.getBytes(UTF_8),
                "apply=true" + map + encoded("Yuan=price") + "&map=" + encoded("price=-"));
    Reply second = merchant.imports().apply("p.csv", file.replace("Boot,5,", "Boots,6,"));
    Reply third =
        merchant
            .imports()
            .run(
                "p.csv",
                file.getBytes(UTF_8),
                "apply=true&map=" + encoded("price=price") + "&map=" + encoded("Yuan="));

    assertThat(counts(first)).isEqualTo("applied 1 0 0 0");
    assertThat(first.json().get("ignored").toString()).isEqualTo("[\"price\"]");
    assertThat(counts(second)).isEqualTo("applied 0 1 0 0");
    assertThat(prices()).containsExactly("99.00");
    assertThat(counts(third)).isEqualTo("applied 0 1 0 0");
    assertThat(TestMerchant.fresh().imports().plan("p.csv", file).json().get("reason").asString())
        .contains("no column for artNo");
  }

  @Test
  void rejectsAMappingToAnUnknownFieldImmediately() {
    Reply reply =
        merchant.imports().run("p.csv", "a\n1".getBytes(UTF_8), "map=" + encoded("a=artno2"));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("COLUMN_FIELD");
  }

  @Test
  void readsTheLongLayoutAndJoinsNonConsecutiveRows() {
    Reply reply =
        merchant
            .imports()
            .apply(
                "p.csv",
                """
                货号,标题,价格,颜色,尺码,库存,条码
                A1,Boot,5,红,36,1,111
                B1,Shoe,6,黑,40,9,
                A1,,,红,37,2,112
                A1,Boot,5.0,蓝,36-38,3,
                """);

    assertThat(counts(reply)).isEqualTo("applied 2 0 0 0");
    assertThat(reply.json().get("stock").toString())
        .isEqualTo("{\"created\":6,\"changed\":0,\"unchanged\":0}");
    assertThat(stock())
        .containsExactly(
            "A1 红 36 1 111",
            "A1 红 37 2 112",
            "A1 蓝 36 3 null",
            "A1 蓝 37 3 null",
            "A1 蓝 38 3 null",
            "B1 黑 40 9 null");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void readsTheWideLayoutWithRangesAndIgnoresEmptyCells() {
    merchant.imports().apply("p.csv", "artNo,title,price,color,36\nA1,Boot,5,red,7\n");

    Reply reply =
        merchant
            .imports()
            .apply(
                "p.csv",
                """
                artNo,color,36,37-38,Size 39,40码
                A1,red,,2,0,4
                A1,blue,1,,,
                """);

    assertThat(counts(reply)).isEqualTo("applied 0 1 0 0");
    assertThat(stock())
        .containsExactly(
            "A1 red 36 7 null",
            "A1 red 37 2 null",
            "A1 red 38 2 null",
            "A1 red 39 0 null",
            "A1 red 40 4 null",
            "A1 blue 36 1 null");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void updatesStockOfExistingProductsByItemNumberAlone() {
    int pid = merchant.product();
    merchant.api().create(Stock.one(pid, "red", "36-37", 5));
    String before =
        merchant
            .texts("select guid from stock_entry where merchant_id = ? order by size")
            .toString();

    Reply reply = merchant.imports().apply("s.csv", "sku,color,size,qty\nA1,red,36,9\n");

    assertThat(counts(reply)).isEqualTo("applied 0 1 0 0");
    assertThat(stock()).containsExactly("A1 red 36 9 null", "A1 red 37 5 null");
    assertThat(merchant.texts("select guid from stock_entry where merchant_id = ? order by size"))
        .hasToString(before);
    assertThat(counts(merchant.imports().apply("s.csv", "sku,color,size,qty\nNEW,red,36,9\n")))
        .isEqualTo("refused 0 0 0 1");
  }

  @Test
  void keepsFieldsWithoutAValueAndClearsThoseWithADash() {
    merchant
        .imports()
        .apply(
            "p.csv",
            """
            artNo,title,price,description,video,imgs,attributes
            A1,Boot,5,<p>Warm</p>,https://v.example/1,https://i.example/1 https://i.example/2,a: b|c: d\\|e
            """);

    assertThat(counts(merchant.imports().apply("p.csv", "artNo,price\nA1,6\n")))
        .isEqualTo("applied 0 1 0 0");
    assertThat(detail())
        .containsExactly(
            "Boot|6.00|<p>Warm</p>|https://v.example/1|{https://i.example/1,https://i.example/2}|{a,c}|{b,d|e}");
    assertThat(counts(merchant.imports().apply("p.csv", "artNo,description,video,imgs\nA1,,,\n")))
        .isEqualTo("applied 0 0 1 0");
    assertThat(
            counts(merchant.imports().apply("p.csv", "artNo,description,video,imgs\nA1,-,-,-\n")))
        .isEqualTo("applied 0 1 0 0");
    assertThat(detail()).containsExactly("Boot|6.00|||{}|{a,c}|{b,d|e}");
    assertThat(merchant.api().products("page=1").data("pic")).containsExactly("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void keepsTitleAndPriceOfAnExistingProductIfTheCellsAreBlank(String blank) {
    merchant.imports().apply("p.csv", "artNo,title,price\nA1,Boot,5\nA2,Shoe,6\n");

    Reply reply =
        merchant
            .imports()
            .apply(
                "p.csv",
                "artNo,title,price\nA1,%1$s,7\nA2,Shoes,%1$s\nA1,,%1$s\n".formatted(blank));

    assertThat(counts(reply)).isEqualTo("applied 0 2 0 0");
    assertThat(
            merchant.texts(
                "select title || ' ' || price from product_detail where merchant_id = ? order by"
                    + " product_id"))
        .containsExactly("Boot 7.00", "Shoes 6.00");
  }

  @Test
  void rejectsANewProductWithoutTitleOrPrice() {
    Reply reply = merchant.imports().apply("p.csv", "artNo,title,price\nA1,,5\nA2,Shoe, \nA3,,\n");

    assertThat(errors(reply))
        .containsExactly(
            "2 title PRODUCT_INCOMPLETE",
            "3 price PRODUCT_INCOMPLETE",
            "4 title PRODUCT_INCOMPLETE");
    assertThat(reply.json().get("errors").valueStream().map(error -> error.get("msg").asString()))
        .containsExactly(
            "The product A1 does not exist yet, and a new product needs title.",
            "The product A2 does not exist yet, and a new product needs price.",
            "The product A3 does not exist yet, and a new product needs title, price.");
  }

  @Test
  void setsColorPicturesAndKeepsTheOthers() {
    merchant
        .imports()
        .apply(
            "p.csv",
            """
            artNo,title,price,color,colorImage
            A1,Boot,5,red,https://i.example/r
            A1,,,blue,https://i.example/b
            """);
    String again =
        """
        artNo,color,colorImage
        A1,green,https://i.example/g
        A1,red,https://i.example/r2
        """;

    assertThat(counts(merchant.imports().apply("p.csv", again))).isEqualTo("applied 0 1 0 0");
    assertThat(counts(merchant.imports().apply("p.csv", again))).isEqualTo("applied 0 0 1 0");
    assertThat(images())
        .containsExactly(
            "{red,blue,green} {https://i.example/r2,https://i.example/b,https://i.example/g}");
    assertThat(merchant.entries()).isZero();
  }

  @Test
  void readsEverySheetWithTheHeaderAndNamesTheOthers() {
    byte[] book =
        Sheets.of(
            List.of(List.of("Read me")),
            List.of(List.of("artNo", "title", "price"), List.of("A1", "Boot", 59.9)),
            List.of(List.of("artNo", "title", "price"), List.of("A2", "Shoe", 3)));

    Reply reply = merchant.imports().run("p.xlsx", book, "apply=true");

    assertThat(counts(reply)).isEqualTo("applied 2 0 0 0");
    assertThat(reply.json().at("/source/format").asString()).isEqualTo("xlsx");
    assertThat(prices()).containsExactly("59.90", "3.00");
  }

  @Test
  void namesTheSheetOfABadRow() {
    byte[] book =
        Sheets.of(
            List.of(List.of("artNo", "title", "price"), List.of("A1", "Boot", 1)),
            List.of(List.of("artNo", "title", "price"), List.of("A2", "Shoe", "x")));

    JsonNode error =
        merchant.imports().run("p.xlsx", book, "apply=true").json().get("errors").get(0);

    assertThat(error.get("row").asInt()).isEqualTo(2);
    assertThat(error.get("column").asString()).isEqualTo("sheet 2!price");
  }

  @Test
  void removesTheGuardingApostropheAndRejectsFormulas() {
    Reply reply =
        merchant
            .imports()
            .run(
                "p.csv",
                "artNo,title,price\nA1,'=1+1,1\nA2,''@x,1\nA3,'quoted',1\nA4,=1+1,1\nA5,-5 °C,1\n"
                    .getBytes(UTF_8),
                "apply=true&skipBad=true");

    assertThat(errors(reply)).containsExactly("5 title CELL_FORMULA");
    assertThat(titles()).containsExactly("=1+1", "'@x", "'quoted'", "-5 °C");
  }

  @Test
  void sanitizesDescriptionsAndReportsWhatWasRemoved() {
    String file =
        """
        artNo,title,price,description
        A1,t,1,"<h2>Warm</h2><p onclick=""x()"">a &amp; b</p><script>x()</script>"
        A2,t,1,"<p>Fine &lt; 3<br>yes</p>"
        A3,t,1,"<script>x()</script><script>y()</script><img src=""//i.example/1.jpg"" alt=""x"">"
        """;

    Reply reply = merchant.imports().apply("p.csv", file);

    assertThat(counts(reply)).isEqualTo("applied 3 0 0 0");
    assertThat(reply.json().get("removed").valueStream().map(JsonNode::toString))
        .containsExactly(
            "{\"what\":\"<script>\",\"loses\":\"nothing\",\"descriptions\":2,\"row\":2,\"artNo\":\"A1\"}",
            "{\"what\":\"<p onclick>\",\"loses\":\"nothing\",\"descriptions\":1,\"row\":2,\"artNo\":\"A1\"}");
    assertThat(reply.json().get("removedTotal").asInt()).isEqualTo(2);
    assertThat(
            merchant.texts(
                "select description from product_detail where merchant_id = ? order by product_id"))
        .containsExactly(
            "<h2>Warm</h2><p>a &amp; b</p>",
            "<p>Fine &lt; 3<br />yes</p>",
            "<img src=\"https://i.example/1.jpg\" alt=\"x\" />");
    assertThat(counts(merchant.imports().apply("p.csv", file))).isEqualTo("applied 0 0 3 0");
  }

  private List<String> titles() {
    return merchant.texts(
        "select title from product_detail where merchant_id = ? order by product_id");
  }

  private List<String> prices() {
    return merchant.texts(
        "select price from product_detail where merchant_id = ? order by product_id");
  }

  private List<String> detail() {
    return merchant.texts(
        """
        select concat_ws('|', title, price, description, video, imgs, attribute_names,
          attribute_values) from product_detail where merchant_id = ? order by product_id""");
  }

  private List<String> images() {
    return merchant.texts(
        "select image_colors || ' ' || image_urls::text from product_detail where merchant_id = ?"
            .replace("image_colors ||", "image_colors::text ||"));
  }

  private List<String> stock() {
    return merchant.texts(
        """
        select concat_ws(' ', p.art_no, c.color, e.size_text, e.quantity, coalesce(e.barcode, 'null'))
        from stock_entry e join stock_color c using (merchant_id, product_id, color_no)
        join product p using (merchant_id, product_id)
        where merchant_id = ? order by p.product_id, color_no, size""");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
