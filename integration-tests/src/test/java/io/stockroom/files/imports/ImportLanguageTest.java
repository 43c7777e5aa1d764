package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestImports;
import io.stockroom.server.testing.TestMerchant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Users who read Chinese get no English text from an import, except names and file content. */
class ImportLanguageTest {
  private static final String HEADER =
      "artNo,title,price,categoryIdTree,categoryNameTree,imgs,attributes,color,colorImage,size,quantity,barCode\n";

  /** Fields, formats and encodings have the same names in all languages. */
  private static final Set<String> NAMES =
      new TreeSet<>(
          Arrays.asList(
              ("skus sizes color stockNum skuImg CSV XLSX JSON Lines Excel UTF GBK PDF PNG HTML ZIP"
                      + " http https xls xlsx MB name FC GB Big windows Shift JIS")
                  .split(" ")));

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestImports imports = merchant.imports().reading("zh-CN");

  static {
    NAMES.addAll(Field.NAMES);
  }

  @Test
  void reportsTableProblemsInChinese() {
    merchant
        .imports()
        .apply("p.csv", "artNo,title,price,color,size,quantity,barCode\nZ,t,1,r,36,1,9\n");
    Reply reply =
        imports.plan(
            "p.csv",
            HEADER
                + "A1,t\nA2,=1,1,,,,,,,,,\n"
                + "A3,t,x,,,,,,,,,\n"
                + "A4,t,1,\"1,2\",1,,,,,,,\n"
                + "A5,t,1,,,nowhere,,,,,,\n"
                + "A6,t,1,,,,nothing,,,,,\n"
                + "A7,t,1,,,,,,,36,1,\n"
                + "A8,t,1,,,,,1,,036-40,1,\n"
                + "A9,t,1,,,,,1,,999-1000,1,\n"
                + "B1,t,1,,,,,1,,40-36,1,\n"
                + "B2,t,1,,,,,1,,1-200,1,\n"
                + "B3,t,1,,,,,1,,36-37,1,69\n"
                + "B4,t,1,,,,,1,,36,-1,\n"
                + "B5,t,1,,,,,1,,36,1,\nB5,,,,,,,1,,36,1,\n"
                + "D1,t,1,,,,,1,,36,1,\nD1,,,,,,,,,37,1,\n"
                + "B7,,,,,,,,,,,\n"
                + "B8,"
                + "x".repeat(301)
                + ",1,,,,,,,,,\n"
                + "B9,\u0007 1,1,,,,,,,,,\n"
                + "C1,t,1,,,,,1,,36,1,7\nC2,t,1,,,,,1,,36,1,7\nC3,t,1,,,,,1,,36,1,9\n"
                + "C4,t,1,,,\""
                + "https://i.example/1 ".repeat(101)
                + "\",,,,,,\n"
                + "C5\u200B,t,1,,,,,,,,,\n"
                + "C6,t,1,,,,,,,,,\"open");

    assertThat(codes(reply, "errors"))
        .contains(
            "ROW_CELLS",
            "CELL_FORMULA",
            "CELL_FORMAT",
            "PARTS_DIFFER",
            "FIELD_MISSING",
            "SIZE_FORMAT",
            "SIZE_BOUNDS",
            "SIZE_ORDER",
            "SIZE_TOO_MANY",
            "BARCODE_ON_RANGE",
            "NUMBER_FORMAT",
            "ENTRY_REPEATED",
            "PRODUCT_INCOMPLETE",
            "TEXT_TOO_LONG",
            "TEXT_CHARACTERS",
            "BARCODE_IN_FILE_TWICE",
            "BARCODE_USED",
            "LIST_TOO_LONG",
            "QUOTE_OPEN");
    assertThat(messages(reply, "errors")).allSatisfy(ImportLanguageTest::isChinese);
  }

  @Test
  void reportsJsonProblemsInChinese() {
    String good = "{\"artNo\":\"A\",\"title\":\"1\",\"price\":1";
    Reply reply =
        imports.plan(
            "p.jsonl",
            String.join(
                "\n",
                "{",
                "1",
                "x",
                good + "} 1",
                good + ",\"artNo\":1}",
                good + ",\"video\":" + "9".repeat(41) + "}",
                good + ",\"video\":" + "[".repeat(9) + "}",
                good + ",\"video\":01}",
                good + ",\"video\":\"\\q\"}",
                good + ",\"video\":\"\t\"}",
                good + ",\"video\":1}",
                good + ",\"imgs\":1}",
                good + ",\"imgs\":[1]}",
                good + ",\"skus\":[1]}",
                good + ",\"attributes\":[1]}",
                "{\"artNo\":\"B\",\"title\":\"\",\"price\":\"1,0\"}",
                "{\"artNo\":\"C\",\"title\":\"1\",\"price\":1}",
                "{\"artNo\":\"C\",\"title\":\"1\",\"price\":1}"));

    assertThat(codes(reply, "errors"))
        .contains(
            "JSON_BROKEN", "FIELD_TYPE", "FIELD_MISSING", "TEXT_EMPTY", "PRODUCT_IN_FILE_TWICE");
    assertThat(messages(reply, "errors"))
        .hasSizeGreaterThan(17)
        .allSatisfy(ImportLanguageTest::isChinese)
        .noneMatch(message -> message.contains("无法解析"));
  }

  @Test
  void reportsWorkbookProblemsAndTheirSheetInChinese() {
    List<String> header = List.of("artNo", "title", "price");
    Reply reply =
        imports.run(
            "p.xlsx",
            Sheets.of(
                List.of(header, List.of("A1", "f=B2", 1)),
                List.of(header, List.of("A2", "t", "x"))),
            "");
    byte[] error =
        Sheets.raw(
            "<row><c t=\"str\"><v>artNo</v></c><c t=\"str\"><v>title</v></c></row>"
                + "<row><c t=\"str\"><v>A</v></c><c t=\"e\"><v>#N/A</v></c></row>");

    assertThat(messages(reply, "errors")).hasSize(2).allSatisfy(ImportLanguageTest::isChinese);
    assertThat(messages(imports.run("p.xlsx", error, ""), "errors"))
        .isNotEmpty()
        .allSatisfy(ImportLanguageTest::isChinese);
    assertThat(Sheets.texts(imports.rejected(id(reply))))
        .contains("原因")
        .anyMatch(text -> text.startsWith("工作表 2!price: “x”无效"));
  }

  @Test
  void reportsUnreadableFilesInChinese() {
    List<byte[]> files =
        Stream.of(
                "",
                "artNo,title\n",
                "title\nx\n",
                "artNo,SKU\nx,y\n",
                "artNo,color,\"36,5\"\nx,1,1\n",
                "%PDF-1.7",
                "<html>",
                "[{}]")
            .map(text -> text.getBytes(UTF_8))
            .toList();

    for (byte[] file : files) {
      Reply reply = imports.run("1", file, "");
      assertThat(reply.json().get("state").asString()).isEqualTo("failed");
      isChinese(reply.json().get("reason").asString());
    }
    for (byte[] book : List.of(Sheets.brokenOff(), Sheets.bomb(16), Sheets.archive("a", "b"))) {
      isChinese(imports.run("1", book, "").json().get("reason").asString());
    }
    byte[] latin = {'a', 'r', 't', 'N', 'o', '\n', (byte) 0xFC, '\n'};
    isChinese(imports.run("1", latin, "encoding=UTF-8").json().get("reason").asString());
    for (String wrong : List.of("encoding=1", "delimiter=1", "map=1%3D2", "map=1%3DartNo")) {
      Reply reply = imports.run("1", "artNo\nx\n".getBytes(UTF_8), wrong);
      isChinese(reply.json().at("/errors/0/msg").asString());
    }
  }

  @Test
  void reportsWarningsAndStateConflictsInChinese() {
    merchant.imports().apply("p.csv", "artNo,title,price,color,36\nA1,t,1,r,5\n");

    Reply plan = imports.plan("p.csv", "artNo,price,color,36\nA1,9,r,0\nA1,9,rе,0\n");

    assertThat(codes(plan, "warnings")).contains("STOCK_TO_ZERO", "PRICE_FACTOR", "SCRIPTS_MIXED");
    assertThat(messages(plan, "warnings")).allSatisfy(ImportLanguageTest::isChinese);
    imports.ask(id(plan), "cancel", "");
    for (String what : List.of("apply", "plan", "cancel")) {
      isChinese(imports.ask(id(plan), what, "{}").msg().replace("import: ", ""));
    }
  }

  @Test
  void writesRejectionReasonsInTheUsersLanguageAndReadsTheFileAgain() {
    String file = "货号,标题,价格,颜色,36\nA1,鞋,x,红,1\nA1,,,蓝,1\nA2,鞋,1,红,1\n";

    Reply chinese = imports.run("p.csv", file.getBytes(UTF_8), "apply=true&skipBad=true");
    Reply english = merchant.imports().plan("p.csv", file);

    String rejected = new String(imports.rejected(id(chinese)), UTF_8);
    assertThat(rejected.lines())
        .containsExactly(
            "货号,标题,价格,颜色,36,原因",
            "A1,鞋,x,红,1,价格: “x”无效，此处应为：0 到 9999999999.99 之间、最多两位小数的价格，例如 59.00。",
            "A1,,,蓝,1,该商品的另一行（第 2 行）有误：价格: “x”无效，此处应为：0 到 9999999999.99 之间、最多两位小数的价格，例如 59.00。");
    assertThat(new String(merchant.imports().rejected(id(english)), UTF_8))
        .startsWith("货号,标题,价格,颜色,36,reason\r\n");
    Reply again = imports.apply("p.csv", rejected.replace(",x,", ",5,"));
    assertThat(counts(again)).isEqualTo("applied 1 0 0 0");
    assertThat(again.json().get("ignored")).isEmpty();
  }

  private static void isChinese(String message) {
    String own = message.replaceAll("“[^”]*”", "").replaceAll("U\\+[0-9A-F]+", "");
    assertThat(
            Pattern.compile("[A-Za-z]{2,}")
                .matcher(own)
                .results()
                .map(MatchResult::group)
                .filter(word -> !NAMES.contains(word)))
        .as(message)
        .isEmpty();
    assertThat(own).matches("(?s).*\\p{IsHan}.*");
  }

  private static List<String> codes(Reply reply, String list) {
    return reply.json().get(list).valueStream().map(each -> each.get("code").asString()).toList();
  }

  private static List<String> messages(Reply reply, String list) {
    return reply.json().get(list).valueStream().map(ImportLanguageTest::message).toList();
  }

  private static String message(JsonNode fault) {
    return fault.get("msg").asString();
  }

  private static int id(Reply reply) {
    return reply.json().get("importId").asInt();
  }
}
