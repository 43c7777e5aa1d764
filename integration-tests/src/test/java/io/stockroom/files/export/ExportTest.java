package io.stockroom.files.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExportTest {
  private static final String HEADER =
      "\uFEFFartNo,title,description,price,categoryIdTree,categoryNameTree,imgs,video,attributes,"
          + "color,colorImage,size,quantity,barCode\r\n";

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void writesARowForEachEntryWithProductFieldsInTheFirst() {
    merchant.importProducts(
        """
        {"artNo":"A1","title":"Schuh, \\"gut\\"","price":59,"description":"<p>a</p>\\n<p>b</p>",\
        "imgs":["http://p.example/1.jpg","http://p.example/2.jpg"],"video":"http://p.example/v",\
        "categoryIdTree":"1,2","categoryNameTree":"鞋,靴","attributes":[{"name":"Upper","value":"leather"},\
        {"name":"a:b|c","value":"d\\\\e"}],"skus":[{"color":"蓝","skuImg":"http://p.example/b.jpg"}]}
        {"artNo":"A2","title":"Without stock","price":0.5}""");
    int pid = merchant.productIds().getFirst();
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(pid, "红", Stock.size("37", 0), Stock.size("36", 5, "690-1")),
                Stock.group(pid, "蓝", Stock.size("36-37", 2147483647))));

    Reply reply = export("csv");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).contains("text/csv; charset=utf-8");
    assertThat(reply.header("content-disposition"))
        .contains("attachment; filename=\"products-of-merchant-%d.csv\"".formatted(merchant.id()));
    assertThat(reply.body())
        .isEqualTo(
            HEADER
                + "A1,\"Schuh, \"\"gut\"\"\",\"<p>a</p>\n<p>b</p>\",59.00,\"1,2\",\"鞋,靴\","
                + "http://p.example/1.jpg|http://p.example/2.jpg,http://p.example/v,"
                + "Upper: leather|a\\:b\\|c: d\\\\e,红,,36,5,690-1\r\n"
                + "A1,,,,,,,,,红,,37,0,\r\n"
                + "A1,,,,,,,,,蓝,http://p.example/b.jpg,36,2147483647,\r\n"
                + "A1,,,,,,,,,蓝,,37,2147483647,\r\n"
                + "A2,Without stock,,0.50,,,,,,,,,,\r\n");
  }

  @Test
  void writesOneJsonLinePerProductWithStockByColor() {
    merchant.importProducts(
        """
        {"artNo":"A1","title":"T\\"1\\\\","price":59,"description":"a\\n\\r\\t\\u000b鞋","imgs":["http://p.example/1"],\
        "attributes":[{"name":"n","value":"v"}],"skus":[{"color":"b","skuImg":"http://p.example/b"},\
        {"color":"c","skuImg":"http://p.example/c"}]}
        {"artNo":"A2","title":"T2","price":1.5}""");
    int pid = merchant.productIds().getFirst();
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(pid, "a", Stock.size("36", 5, "690"), Stock.size("37", 6)),
                Stock.group(pid, "b", Stock.size("40", 0))));

    Reply reply = export("jsonl");

    assertThat(reply.header("content-type")).contains("application/x-ndjson");
    assertThat(reply.body())
        .isEqualTo(
            """
            {"artNo":"A1","title":"T\\"1\\\\","description":"a\\n\\r\\t\\u000b鞋","price":59.00,\
            "categoryIdTree":"","categoryNameTree":"","imgs":["http://p.example/1"],"video":"",\
            "attributes":[{"name":"n","value":"v"}],"skus":[\
            {"color":"a","sizes":[{"size":36,"quantity":5,"barCode":"690"},{"size":37,"quantity":6}]},\
            {"color":"b","img":"http://p.example/b","sizes":[{"size":40,"quantity":0}]},\
            {"color":"c","img":"http://p.example/c","sizes":[]}]}
            {"artNo":"A2","title":"T2","description":"","price":1.50,"categoryIdTree":"",\
            "categoryNameTree":"","imgs":[],"video":"","attributes":[],"skus":[]}
            """);
  }

  @Test
  void writesARowForAColorPictureWithoutStock() {
    merchant.importProducts(
        """
        {"artNo":"A1","title":"T","price":1,"skus":[{"color":"a","skuImg":"http://p.example/a"},\
        {"color":"b","skuImg":"http://p.example/b"}]}""");

    assertThat(export("csv").body())
        .isEqualTo(
            HEADER
                + "A1,T,,1.00,,,,,,a,http://p.example/a,,,\r\n"
                + "A1,,,,,,,,,b,http://p.example/b,,,\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "=1+1, '=1+1",
        "+1, '+1",
        "-1, '-1",
        "@a, '@a",
        "'=1, ''=1",
        "''@a, '''@a",
        "＝1, '＝1",
        "＋1, '＋1",
        "－1, '－1",
        "＠a, '＠a",
        "'＝1, ''＝1",
        "＜1, ＜1",
        "＊1, ＊1",
        "a＝1, a＝1",
        "'a, 'a",
        "a=1, a=1",
        "1-1, 1-1"
      })
  void guardsCellsThatASpreadsheetWouldRun(String title, String cell) {
    merchant.importProducts("{\"artNo\":\"A1\",\"title\":\"%s\",\"price\":1}".formatted(title));

    assertThat(export("csv").body()).isEqualTo(HEADER + "A1," + cell + ",,1.00,,,,,,,,,,\r\n");
  }

  @ParameterizedTest
  @CsvSource({"'\\t', '\t'", "'\\n', '\n'", "'\\r', '\r'"})
  void guardsTextsThatExcelReadsAsFormulas(String sent, String kept) {
    merchant.importProducts(
        "{\"artNo\":\"A1\",\"title\":\"T\",\"price\":1,\"description\":\"%s=1\"}".formatted(sent));

    String quote = kept.equals("\t") ? "" : "\"";
    assertThat(export("csv").body())
        .isEqualTo(HEADER + "A1,T,%1$s'%2$s=1%1$s,1.00,,,,,,,,,,\r\n".formatted(quote, kept));
  }

  @ParameterizedTest
  @CsvSource({"csv, 1", "jsonl, 0"})
  void writesAnEmptyFileForAMerchantWithoutProducts(String format, int lines) {
    assertThat(export(format).body().lines()).hasSize(lines);
  }

  @Test
  void theHeaderIsInTheLanguageOfThePersonAndTheImportKnowsIt() {
    merchant.imports().apply("p.csv", "artNo,title,price,color,36\nA1,Boot,5,red,1\n");

    String file =
        Admin.of(TestServer.shared())
            .reading("zh")
            .get("/admin/merchants/%d/products/export?format=csv".formatted(merchant.id()))
            .body();

    assertThat(file).startsWith("\uFEFF货号,标题,描述,价格,类目id,类目,图片,视频,属性,颜色,颜色图片,尺码,库存,条码\r\n");
    Reply plan = merchant.imports().plan("p.csv", file);
    assertThat(plan.json().get("unchanged").asInt()).isEqualTo(1);
    assertThat(plan.json().get("ignored").isEmpty()).isTrue();
  }

  @Test
  void leavesOutOtherMerchantsProducts() {
    TestMerchant other = TestMerchant.fresh();
    merchant.api().create(Stock.one(merchant.product(), "red", "36", 1));
    other.api().create(Stock.one(other.product(), "blue", "36", 1));

    assertThat(export("csv").body()).contains(",red,").doesNotContain("blue").hasLineCount(2);
  }

  @Test
  void rejectsUnknownMerchantsAndFormats() {
    Admin admin = Admin.of(TestServer.shared());

    Reply unknown = admin.get("/admin/merchants/2147483647/products/export?format=csv");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.codes()).containsExactly("MERCHANT_MISSING");
    Reply noFormat = admin.get("/admin/merchants/" + merchant.id() + "/products/export");
    assertThat(noFormat.status()).isEqualTo(400);
    assertThat(noFormat.codes()).containsExactly("FIELD_MISSING");
    Reply otherFormat = export("ods");
    assertThat(otherFormat.status()).isEqualTo(400);
    assertThat(otherFormat.msg()).contains("csv, xlsx or jsonl");
    assertThat(
            admin
                .withKey("wrong")
                .get("/admin/merchants/" + merchant.id() + "/products/export?format=csv")
                .status())
        .isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "😀"})
  void rejectsTextsThatAreTooLongForACell(String character) throws SQLException {
    int pid = merchant.product();
    int most = CellLength.MAX_CHARACTERS / character.length();
    describe(pid, "repeat('%s', %d)".formatted(character, most));
    assertThat(export("xlsx").status()).isEqualTo(200);

    describe(pid, "repeat('%s', %d)".formatted(character, most + 1));
    Reply reply = export("xlsx");

    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.codes()).containsExactly("EXPORT_CELL_TOO_LONG");
    assertThat(reply.places()).containsExactly("description");
    assertThat(reply.msg()).contains("\"A1\"", "csv or jsonl");
    assertThat(reply.header("content-type")).contains("application/json;charset=utf-8");
    assertThat(export("csv").status()).isEqualTo(200);
  }

  @Test
  void countsTheEscapesOfACellWithAttributes() throws SQLException {
    int pid = merchant.product();
    // "n: " and 16,382 escaped bars are 32,767 characters
    attribute(pid, "repeat('|', 16382)");
    assertThat(export("xlsx").status()).isEqualTo(200);

    attribute(pid, "repeat('|', 16382) || 'x'");
    assertThat(export("xlsx").places()).containsExactly("attributes");
  }

  private void describe(int pid, String sql) throws SQLException {
    update("description = " + sql, pid);
  }

  private void attribute(int pid, String sql) throws SQLException {
    update("attribute_names = '{n}', attribute_values = array[" + sql + "]", pid);
  }

  private static void update(String assignment, int pid) throws SQLException {
    TestServer.shared()
        .database()
        .write(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate(
                    "update product_detail set %s where product_id = %d"
                        .formatted(assignment, pid));
              }
            });
  }

  private Reply export(String format) {
    return Admin.of(TestServer.shared())
        .get("/admin/merchants/%d/products/export?format=%s".formatted(merchant.id(), format));
  }
}
