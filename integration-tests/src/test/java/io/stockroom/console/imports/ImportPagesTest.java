package io.stockroom.console.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestImports;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Import and export pages, without a browser. */
class ImportPagesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Pages pages = Pages.of(TestPerson.of(merchant));
  private final TestImports imports = merchant.imports();

  @Test
  void plansAnUploadAndChangesNothingBeforeItIsApplied() {
    String place = upload(pages, "/console/imports?name=a.csv", "artNo,title,price\nA1,Shoe,59\n");
    int id = ended(place);

    assertThat(pages.get(place).body()).contains("Nothing has been changed yet", "a.csv");
    assertThat(merchant.productIds()).isEmpty();
    assertThat(pages.post(place + "/apply").headers().firstValue("Location")).hasValue(place);
    imports.end(id);
    assertThat(merchant.productIds()).hasSize(1);
    assertThat(pages.get(place).body()).contains("Imported: 1 new, 0 changed, 0 unchanged.");
  }

  @Test
  void showsTheEncodingTheColumnsAndTheFirstValuesOfAFile() {
    byte[] gbk = "货号;标题;价格;备注\nA1;帆布鞋;59;夏\nA2;帆布鞋;60;冬\n".getBytes(Charset.forName("GBK"));
    String place = location(pages.upload("/console/imports?name=a.csv", gbk));
    ended(place);

    assertThat(pages.get(place).body())
        .contains(">GBK</span>", "semicolon ;", ">备注</span>", "<b>夏</b><b>冬</b>", "2 rows");
  }

  @Test
  void showsTheWholePlanInChinese() {
    merchant.imports().apply("a.csv", "artNo,title,price,color,36\nA1,鞋,59,红,1\n");
    Pages chinese = Pages.of(TestPerson.of(merchant)).with("Accept-Language", "zh-CN");
    String place =
        upload(chinese, "/console/imports?name=a.csv", "货号,标题,价格,颜色,36\nA1,靴,60,红,2\nA2,,x,红,1\n");
    ended(place);

    String page = chinese.get(place).body();
    assertThat(page)
        .contains(">标题</td>", ">价格</td>", ">库存 红 36</td>", "“x”无效，此处应为：0 到 9999999999.99 之间")
        .doesNotContain(">title<", ">price<", "stock 红", "person ");
    assertThat(chinese.get(place + "/rejected").body()).contains(",原因", "价格: “x”无效");
    assertThat(pages.get(place).body()).contains(">Title</td>", ">Stock 红 36</td>");
  }

  @Test
  void offersASampleWithChineseHeadersThatCanBeImported() {
    Pages chinese = Pages.of(TestPerson.of(merchant)).with("Accept-Language", "zh-CN");
    for (String from : List.of("/console/products", "/console/imports")) {
      Matcher address =
          Pattern.compile("/console/assets/products-sample-zh[^\"]+")
              .matcher(chinese.get(from).body());
      assertThat(address.find()).as(from).isTrue();
      String sample = chinese.get(address.group()).body();
      assertThat(sample).startsWith("\uFEFF货号,标题,描述,价格,").doesNotContainPattern("artNo|title");
      Reply plan = merchant.imports().plan("sample.csv", sample);
      assertThat(plan.json().get("created").asInt()).as(plan.body()).isEqualTo(2);
      assertThat(plan.json().at("/stock/created").asInt()).isEqualTo(3);
      assertThat(plan.json().get("ignored")).isEmpty();
    }
  }

  @Test
  void mapsColumnsAndRemembersTheMapping() {
    String file = "Ref,Name,Preis,Rest\nA1,Shoe,59,x\n";
    String place = upload(pages, "/console/imports?name=a.csv", file);
    int id = ended(place);
    assertThat(pages.get(place).body()).contains("no column for artNo", "<b>A1</b>", "<b>59</b>");

    pages.post(
        place + "/plan",
        "name-0",
        "Ref",
        "was-0",
        "",
        "field-0",
        "artNo",
        "name-1",
        "Name",
        "was-1",
        "title",
        "field-1",
        "title",
        "name-2",
        "Preis",
        "was-2",
        "",
        "field-2",
        "price",
        "name-3",
        "Rest",
        "was-3",
        "",
        "field-3",
        "");
    imports.end(id);

    assertThat(pages.get(place).body()).contains("Review the changes below.");
    assertThat(merchant.texts("select column_name from import_column where merchant_id = ?"))
        .as("what was left alone is not remembered")
        .containsExactlyInAnyOrder("Ref", "Preis");
    String again = upload(pages, "/console/imports?name=b.csv", file);
    ended(again);
    assertThat(pages.get(again).body()).contains("Review the changes below.");
  }

  @Test
  void offersToSkipBadProductsAndToDownloadTheirRows() {
    String place =
        upload(pages, "/console/imports?name=a.csv", "artNo,title,price\nA1,Shoe,59\nA2,Boot,x\n");
    int id = ended(place);

    String planned = pages.get(place).body();
    assertThat(planned)
        .contains("Import without 1 product with errors", "/rejected")
        .doesNotContain("<button class=\"main\">Import<");
    HttpResponse<String> rejected = pages.get(place + "/rejected");
    assertThat(rejected.body()).contains("A2,Boot,x", "reason").doesNotContain("A1");
    assertThat(rejected.headers().firstValue("Content-Disposition"))
        .hasValue("attachment; filename=\"import-%d.rejected.csv\"".formatted(id));
    pages.post(place + "/apply", "skipBad", "true");
    imports.end(id);
    assertThat(pages.get(place).body())
        .contains("Imported: 1 new", "Skipped: 1 product with errors.");
  }

  @Test
  void reportsAConflictingChangeByAnotherPerson() {
    String place = upload(pages, "/console/imports?name=a.csv", "artNo,title,price\nA1,Shoe,59\n");
    int id = ended(place);
    pages.post(place + "/cancel");

    HttpResponse<String> late = pages.post(place + "/apply");

    assertThat(late.statusCode()).isEqualTo(200);
    assertThat(late.body()).contains("The file of import " + id + " is no longer kept.");
    assertThat(merchant.productIds()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"4294967296, 204", "4294967297, 413"})
  void rejectsATooLargeFileBeforeTheUpload(long bytes, int status) {
    HttpResponse<String> answer =
        pages.with("Stockroom-Request", "fetch").post("/console/imports/ready?bytes=" + bytes);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains(status == 204 ? "" : "larger than 4 GiB");
  }

  @Test
  void answersAnotherMerchantsImportLikeAMissingOne() {
    TestMerchant other = TestMerchant.fresh();
    int foreign =
        other.imports().plan("a.csv", "artNo,title,price\nA1,S,1\n").json().get("importId").asInt();
    String place = "/console/imports/%d/%d".formatted(other.id(), foreign);
    String mixed = "/console/imports/%d/%d".formatted(merchant.id(), foreign);

    for (String path : new String[] {place, mixed}) {
      assertThat(pages.get(path).statusCode()).isEqualTo(404);
      assertThat(pages.get(path + "/rejected").statusCode()).isEqualTo(404);
      assertThat(pages.post(path + "/plan").statusCode()).isEqualTo(404);
      assertThat(pages.post(path + "/apply").statusCode()).isEqualTo(404);
      assertThat(pages.post(path + "/cancel").statusCode()).isEqualTo(404);
    }
    assertThat(pages.get("/console/imports?merchant=" + other.id()).statusCode()).isEqualTo(404);
    assertThat(pages.get("/console/export?format=csv&merchant=" + other.id()).statusCode())
        .isEqualTo(404);
    assertThat(pages.upload("/console/imports?merchant=" + other.id(), new byte[] {1}).statusCode())
        .isEqualTo(404);
    assertThat(other.imports().show(foreign).json().get("state").asString()).isEqualTo("planned");
  }

  @Test
  void operatorsImportForANamedMerchant() {
    Pages operator = Pages.of(TestPerson.operator());

    String place =
        upload(
            operator,
            "/console/imports?name=a.csv&merchant=" + merchant.id(),
            "artNo,title,price\nA1,Shoe,59\n");

    assertThat(place).startsWith("/console/imports/" + merchant.id() + "/");
    ended(place);
    assertThat(operator.get("/console/imports?merchant=" + merchant.id()).body()).contains("a.csv");
    assertThat(operator.upload("/console/imports?name=a.csv", new byte[] {1}).statusCode())
        .as("no merchant named")
        .isEqualTo(404);
    assertThat(operator.upload("/console/imports?merchant=2147483647", new byte[] {1}).statusCode())
        .as("no such merchant")
        .isEqualTo(404);
  }

  @Test
  void rejectsDevelopers() {
    Pages developer =
        Pages.of(
            TestPerson.with(
                "\"merchantId\":%d,\"roles\":[\"developer\"]".formatted(merchant.id())));

    assertThat(developer.get("/console/imports").statusCode()).isEqualTo(404);
    assertThat(developer.get("/console/export?format=csv").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "csv, text/csv;charset=utf-8",
    "xlsx, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "jsonl, application/x-ndjson"
  })
  void exportsCanBeImportedAgain(String format, String type) {
    merchant.products(2);

    HttpResponse<String> file = pages.get("/console/export?format=" + format);

    assertThat(file.statusCode()).isEqualTo(200);
    assertThat(file.headers().firstValue("Content-Type").orElse("").replace("; ", ";"))
        .isEqualToIgnoringCase(type);
    assertThat(file.headers().firstValue("Content-Disposition").orElse(""))
        .contains("products-of-merchant-%d.%s".formatted(merchant.id(), format));
    assertThat(file.body()).isNotEmpty();
    if (!format.equals("xlsx")) {
      String place = upload(pages, "/console/imports?name=again." + format, file.body());
      ended(place);
      assertThat(pages.get(place).body()).contains("There is nothing to import.");
    }
  }

  @Test
  void undoesAnImportOnce() {
    imports.apply("a.csv", "artNo,title,price,color,36\nA1,Shoe,59,red,5\n");
    String place =
        upload(pages, "/console/imports?name=b.csv", "artNo,title,color,36\nA1,Boot,red,9\n");
    assertThat(pages.get(place).body()).doesNotContain(place + "/undo");
    ended(place);
    pages.post(place + "/apply");
    ended(place);
    assertThat(pages.get(place).body()).contains("Undo this import", place + "/undo");

    String undo = pages.post(place + "/undo").headers().firstValue("Location").orElseThrow();
    ended(undo);

    assertThat(pages.get(undo).body()).contains("Restored: 1 stock entry, 1 product.");
    assertThat(imports.plan("a.csv", "artNo,title,color,36\nA1,Shoe,red,5\n").body())
        .contains("\"unchanged\":1");
    assertThat(pages.get(place).body())
        .contains("Undone by import")
        .doesNotContain(place + "/undo");
    assertThat(pages.post(place + "/undo").body()).contains("was undone already");
  }

  @Test
  void anUndoListsTheEntriesThatOthersChangedWithAllQuantities() {
    imports.apply("a.csv", "artNo,title,price,color,36,37\nA1,Shoe,59,red,5,5\n");
    int wrong =
        imports.apply("b.csv", "artNo,color,36,37\nA1,red,7,7\n").json().get("importId").asInt();
    imports.apply("c.csv", "artNo,color,36\nA1,red,9\n");
    int undo = imports.ask(wrong, "undo", "").json().get("importId").asInt();
    imports.end(undo);

    String place = "/console/imports/%d/%d".formatted(merchant.id(), undo);
    assertThat(pages.get(place).body())
        .contains("Restored: 1 stock entry, 0 products.", ">Before the import</th>")
        .containsPattern(
            ">red 36</td>\\s*<td[^>]*>5</td>\\s*<td[^>]*>7</td>\\s*<td[^>]*>9</td>\\s*<td[^>]*>Changed after the import<")
        .doesNotContain(">red 37</td>");
    assertThat(Pages.of(TestPerson.of(merchant)).with("Accept-Language", "zh-CN").get(place).body())
        .contains(">red 36</td>", ">导入之后又被改过</td>")
        .doesNotContain("stock red");
  }

  @Test
  void pagesThroughTheImports() {
    for (int i = 0; i < 51; i++) {
      // only so many may be unfinished
      ended(upload(pages, "/console/imports?name=file-%02d.txt".formatted(i), "x\n"));
    }

    String first = pages.get("/console/imports").body();
    assertThat(first).contains("file-50.txt", "file-01.txt", "Older").doesNotContain("file-00.txt");
    String next = first.replaceAll("(?s).*rel=\"next\" href=\"([^\"]+)\".*", "$1");
    assertThat(pages.get(next.replace("&amp;", "&")).body())
        .contains("file-00.txt", "Newest")
        .doesNotContain("file-01.txt");
  }

  private int ended(String place) {
    int id = Integer.parseInt(place.substring(place.lastIndexOf('/') + 1));
    imports.end(id);
    return id;
  }

  private static String upload(Pages pages, String path, String text) {
    return location(pages.upload(path, text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String location(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return answer.headers().firstValue("Location").orElseThrow();
  }
}
