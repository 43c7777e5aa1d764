package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static io.stockroom.files.imports.ProductImportTest.errors;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Every problem of a file is reported, and the server stays healthy. */
class BadFileTest {
  private static final String HEADER = "artNo,title,price,color,size,quantity,barCode\n";
  private final TestMerchant merchant = TestMerchant.fresh();

  @ParameterizedTest
  @CsvSource({
    "123456789012345678901, 5, '', size 123456789012345678901 TEXT_TOO_LONG",
    "0-5, 5, '', size 0-5 SIZE_BOUNDS",
    "40-36, 5, '', size 40-36 SIZE_ORDER",
    "1-101, 5, '', size 1-101 SIZE_TOO_MANY",
    "36, -1, '', quantity -1 NUMBER_FORMAT",
    "36, 2147483648, '', quantity 2147483648 NUMBER_FORMAT",
    "36, 5.0, '', quantity 5.0 NUMBER_FORMAT",
    "36, many, '', quantity many NUMBER_FORMAT",
    "36-37, 5, 691, barCode 691 BARCODE_ON_RANGE",
    "36, '', 691, quantity  FIELD_MISSING"
  })
  void namesRowColumnAndValueOfABadEntry(
      String size, String quantity, String barCode, String fault) {
    Reply reply =
        merchant
            .imports()
            .apply(
                "p.csv",
                HEADER
                    + "A1,Boot,5,red,36,1,\nA2,Boot,5,red,"
                    + size
                    + ","
                    + quantity
                    + ","
                    + barCode
                    + "\n");

    assertThat(counts(reply)).isEqualTo("refused 1 0 0 1");
    JsonNode error = reply.json().get("errors").get(0);
    assertThat(error.get("row").asInt()).isEqualTo(3);
    assertThat(
            error.get("column").asString()
                + " "
                + error.get("value").asString()
                + " "
                + error.get("code").asString())
        .isEqualTo(fault);
    assertThat(merchant.productIds()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"36, 0", "0, 2147483647", "12345678901234567890, 5", "1-100, 5", "均码, 5"})
  void acceptsEntriesJustInsideTheLimits(String size, String quantity) {
    assertThat(
            counts(
                merchant
                    .imports()
                    .apply("p.csv", HEADER + "A1,Boot,5,red," + size + "," + quantity + ",\n")))
        .isEqualTo("applied 1 0 0 0");
  }

  @ParameterizedTest
  @CsvSource({
    "'A1,Boot', ROW_CELLS",
    "'A1,Boot,5,,,,,more', ROW_CELLS",
    "',Boot,5,,,,', FIELD_MISSING",
    "'A1,Boot,5 yuan,,,,', CELL_FORMAT",
    "'A1,Boot,-5,,,,', CELL_FORMAT",
    "'A1,Boot,5.001,,,,', CELL_FORMAT",
    "'A1,=B2,5,,,,', CELL_FORMULA",
    "'A1,\"Boot,5,,,,', QUOTE_OPEN"
  })
  void namesABadRow(String row, String code) {
    Reply reply = merchant.imports().apply("p.csv", HEADER + "OK,Boot,5,,,,\n" + row + "\n");

    assertThat(counts(reply)).isEqualTo("refused 1 0 0 1");
    assertThat(errors(reply)).hasSize(1).allMatch(error -> error.startsWith("3 "));
    assertThat(errors(reply).getFirst()).endsWith(code);
  }

  @Test
  void acceptsARowWithEmptyCellsAfterItsLastColumn() {
    assertThat(counts(merchant.imports().apply("p.csv", HEADER + "A1,Boot,5,,,,,,\n")))
        .isEqualTo("applied 1 0 0 0");
  }

  @Test
  void rejectsNulAndUnpairedSurrogates() {
    byte[] nul = (HEADER + "A1,Bo\0ot,5,,,,\n").getBytes(UTF_8);
    String half = "{\"artNo\":\"A\",\"title\":\"\\uD83D\",\"price\":1}";

    assertThat(errors(merchant.imports().run("p.csv", nul, "apply=true")))
        .containsExactly("2 title TEXT_CHARACTERS");
    assertThat(errors(merchant.imports().apply("p.jsonl", half)))
        .containsExactly("1 title TEXT_CHARACTERS");
  }

  @ParameterizedTest
  @CsvSource({
    "'', FILE_EMPTY, is empty",
    "'  \n\n', FILE_EMPTY, is empty",
    "'artNo,title,price\n', FILE_WITHOUT_ROWS, no rows below",
    "'[{\"artNo\":1}]', FILE_FORMAT, JSON Lines",
    "'title,price\nx,1\n', COLUMN_MISSING, no column for artNo",
    "'artNo,SKU,title,price\nx,y,t,1\n', COLUMN_REPEATED, both mean artNo",
    "'artNo,color,\"36,5\"\nx,red,1\n', SIZE_FORMAT, '36,5'"
  })
  void rejectsAWholeFileWithAReason(String text, String code, String reason) {
    Reply reply = merchant.imports().apply("p", text);

    assertThat(reply.json().get("state").asString()).isEqualTo("failed");
    assertThat(reply.json().get("reason").asString()).contains(reason);
    assertThat(reply.json().at("/errors/0/code").asString()).isEqualTo(code);
  }

  @Test
  void namesTheRowWithInvalidBytes() {
    byte[] bytes =
        "artNo,title,price\nA1,ok,1\nA2,Stiefel für Männer,1\n"
            .getBytes(Charset.forName("windows-1252"));

    Reply reply = merchant.imports().run("p.csv", bytes, "apply=true&encoding=UTF-8");

    assertThat(reply.json().get("state").asString()).isEqualTo("failed");
    assertThat(reply.json().get("reason").asString())
        .startsWith("In row 3 the bytes FC are not UTF-8.");
  }

  @Test
  void namesTheRowWithBytesOfAnotherEncoding() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("货号,标题,价格\nA1,真皮短靴秋冬新款加绒保暖防滑,1\nA2,".getBytes(UTF_8));
    bytes.writeBytes("棉鞋".getBytes(Charset.forName("GBK")));
    bytes.writeBytes(",1\nA3,帆布鞋,1\n".getBytes(UTF_8));

    Reply reply = merchant.imports().run("p.csv", bytes.toByteArray(), "apply=true");

    assertThat(reason(reply))
        .startsWith(
            "In row 3 the bytes C3 are not UTF-8. Save the file as UTF-8, or name its encoding");
  }

  @Test
  void recognizesAJsonArrayNamedAsATable() {
    assertThat(reason(merchant.imports().apply("p.csv", "[ {\"artNo\":1}]")))
        .contains("is a JSON array. Send JSON Lines: one object on each line");
    assertThat(reason(merchant.imports().apply("p.csv", "[artNo],title,price\nA1,Boot,1\n")))
        .doesNotContain("JSON");
  }

  @Test
  void rejectsAZipBomb() {
    assertThat(reason(merchant.imports().run("p.xlsx", Sheets.bomb(15), "apply=true")))
        .contains("is empty");
    assertThat(reason(merchant.imports().run("p.xlsx", Sheets.bomb(16), "apply=true")))
        .startsWith("The workbook p.xlsx unpacks to more than 16 MB");
  }

  @Test
  void rejectsADamagedWorkbookAndAnInvalidArchive() {
    byte[] book = Sheets.of(List.of(List.of("artNo", "title", "price"), List.of("A", "b", 1)));
    byte[] cut = Arrays.copyOf(book, book.length / 3);

    assertThat(reason(merchant.imports().run("p.xlsx", cut, "apply=true"))).contains("p.xlsx is");
    assertThat(reason(merchant.imports().run("p.xlsx", Sheets.brokenOff(), "apply=true")))
        .contains("p.xlsx is");
    assertThat(merchant.imports().run("p.xlsx", cut, "apply=true").json().get("state").asString())
        .isEqualTo("failed");
  }

  @Test
  void rejectsAFormulaInAWorkbook() {
    byte[] book = Sheets.of(List.of(List.of("artNo", "title", "price"), List.of("A", "f=B2+1", 1)));

    assertThat(errors(merchant.imports().run("p.xlsx", book, "apply=true")))
        .containsExactly("2 title CELL_FORMULA");
  }

  @Test
  void rejectsACellThatIsTooLongAndReadsTheNextRows() {
    String file =
        "artNo,title,price,description\nA1,t,1,"
            + "x".repeat(1_000_001)
            + "\nA2,t,1,"
            + "y".repeat(1_000_000)
            + "\n";

    Reply reply = merchant.imports().run("p.csv", file.getBytes(UTF_8), "apply=true&skipBad=true");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 1");
    assertThat(errors(reply)).containsExactly("2 description CELL_TOO_LONG");
  }

  @Test
  void rejectsContradictionsWithinAProductIfAskedToAndNamesTheFirstRow() {
    String adjacent = HEADER + "A1,Boot,5,red,36,1,\nA1,Boots,5,red,37,1,\n";
    String apart = HEADER + "A1,Boot,5,red,36,1,\nB,x,1,,,,\nA1,Boots,5,red,37,1,\n";

    String query = "apply=true&differing=reject";
    Reply near = merchant.imports().run("p.csv", adjacent.getBytes(UTF_8), query);
    Reply far = merchant.imports().run("p.csv", apart.getBytes(UTF_8), query);

    assertThat(errors(near)).containsExactly("3 title ROW_CONFLICT");
    assertThat(near.json().at("/errors/0/msg").asString())
        .startsWith("\"Boots\" differs from \"Boot\", the value in row 2 of the same product");
    assertThat(errors(far)).containsExactly("4 title ROW_CONFLICT");
    assertThat(far.json().at("/errors/0/msg").asString())
        .startsWith("\"Boots\" differs from \"Boot\", the value in row 2 of the same product");
  }

  @Test
  void rejectsTheSameColorAndSizeTwice() {
    String adjacent = HEADER + "A1,Boot,5,red,36-38,1,\nA1,,,red,38,1,\n";
    String apart = HEADER + "A1,Boot,5,red,36-38,1,\nB,x,1,,,,\nA1,,,red,38,1,\n";

    assertThat(errors(merchant.imports().apply("p.csv", adjacent)))
        .containsExactly("3 size ENTRY_REPEATED");
    assertThat(merchant.imports().apply("p.csv", apart).json().at("/errors/0/msg").asString())
        .isEqualTo(
            "Product A1, color \"red\", size 38 already occurs at row 2; send each color and"
                + " size once.");
  }

  @Test
  void rejectsMoreThan1000SizesOfAColor() {
    StringBuilder rows = new StringBuilder(HEADER).append("A1,Boot,5,red,0,1,\n");
    for (int i = 1; i < 1000; i++) {
      rows.append("A1,,,red,").append(i).append(",1,\n");
    }
    assertThat(counts(merchant.imports().plan("p.csv", rows.toString())))
        .isEqualTo("planned 1 0 0 0");

    Reply more = merchant.imports().plan("p.csv", rows + "A1,,,red,XL,1,\n");

    assertThat(more.json().at("/errors/0/code").asString()).isEqualTo("SIZES_TOO_MANY");
    assertThat(more.json().at("/errors/0/row").asInt()).isEqualTo(1002);
  }

  @Test
  void rejectsMoreThan1000Colors() {
    StringBuilder inside = new StringBuilder("artNo,title,price,color,36\n");
    for (int i = 1; i <= 1000; i++) {
      inside.append("A1,t,1,c").append(i).append(",1\n");
    }

    assertThat(counts(merchant.imports().apply("p.csv", inside.toString())))
        .isEqualTo("applied 1 0 0 0");
    assertThat(errors(merchant.imports().apply("p.csv", "artNo,color,36\nA1,one more,1\n")))
        .containsExactly("2 color COLORS_TOO_MANY");
    assertThat(
            errors(TestMerchant.fresh().imports().apply("p.csv", inside + "A1,t,1,one more,1\n")))
        .containsExactly("1002 color COLORS_TOO_MANY");
  }

  @Test
  void rejectsAFileOverTheLimitWithAndWithoutContentLength() {
    TestServer small =
        TestServer.with(Map.of("import.max-file-size", "1KB", "limits.create-interval", "PT0S"));
    TestMerchant own = TestMerchant.on(small);
    String header = "artNo,title,price\n";
    String inside = header + "A1,t,1" + " ".repeat(1000 - header.length() - 6);

    assertThat(counts(own.imports().apply("p.csv", inside))).isEqualTo("applied 1 0 0 0");
    Reply outside = own.imports().apply("p.csv", inside + " ");
    Reply chunked =
        own.imports()
            .send(
                "p.csv",
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream((inside + " ").getBytes(UTF_8))),
                "apply=true");

    assertThat(outside.status()).isEqualTo(413);
    assertThat(outside.codes()).containsExactly("FILE_TOO_LARGE");
    assertThat(chunked.status()).isEqualTo(413);
    assertThat(own.texts("select count(*) from import_piece where merchant_id = ?"))
        .containsExactly("0");
  }

  private static String reason(Reply reply) {
    return reply.json().get("reason").asString();
  }
}
