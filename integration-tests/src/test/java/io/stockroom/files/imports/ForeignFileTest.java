package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The content of a file determines its format, whatever its name. */
class ForeignFileTest {
  private static final String TABLE = "artNo,title,price\nA1,Boot,5\n";
  private final TestMerchant merchant = TestMerchant.fresh();

  @ParameterizedTest
  @CsvSource({
    "'%PDF-1.7\n%x', a PDF. Save the table as CSV or XLSX.",
    "'\u0089PNG\r\n\u001A\n', a PNG picture. Send the table itself as CSV or XLSX.",
    "'\u00FF\u00D8\u00FF\u00E0', a JPEG picture. Send the table itself as CSV or XLSX.",
    "'GIF89a', a GIF picture. Send the table itself as CSV or XLSX.",
    "'\u001F\u008B\u0008', a gzip archive. Unpack it and send the file inside.",
    "'\u00D0\u00CF\u0011\u00E0\u00A1', 'an old Excel workbook (.xls) or one with a password. Open it in Excel and save it as .xlsx without a password, or as CSV.'",
    "'<!DOCTYPE html><html>', an HTML page. Open it in Excel and save it as XLSX or CSV.",
    "'\u00EF\u00BB\u00BF \n<TABLE border=1>', an HTML page. Open it in Excel and save it as XLSX or CSV.",
    "'<?xml version=\"1.0\"?>', an XML document. Open it in Excel and save it as XLSX or CSV."
  })
  void namesAForeignFormatAndWhatToDo(String content, String said) {
    for (String name : List.of("p.csv", "p.xlsx", "p.jsonl")) {
      Reply reply =
          merchant.imports().run(name, (content + TABLE).getBytes(ISO_8859_1), "apply=true");

      assertThat(reply.json().get("state").asString()).isEqualTo("failed");
      assertThat(reply.json().get("reason").asString())
          .isEqualTo("The file " + name + " is " + said);
    }
  }

  @Test
  void rejectsAnHtmlPageInAnotherEncoding() {
    byte[] page = "\uFEFF<html><table>".getBytes(Charset.forName("UTF-16LE"));

    assertThat(merchant.imports().run("p.xls", page, "").json().get("reason").asString())
        .contains("is an HTML page");
  }

  @Test
  void rejectsAnArchiveThatIsNotAWorkbookAndAnEmptyOne() {
    byte[] document = Sheets.archive("word/document.xml", "<x/>");
    byte[] empty = new byte[22];
    System.arraycopy(new byte[] {'P', 'K', 5, 6}, 0, empty, 0, 4);

    for (byte[] archive : List.of(document, empty)) {
      assertThat(merchant.imports().run("p.csv", archive, "").json().get("reason").asString())
          .isEqualTo(
              "The file p.csv is a ZIP archive without an Excel sheet in it. Send the workbook"
                  + " (.xlsx), CSV or JSON Lines itself.");
    }
  }

  @Test
  void readsAWorkbookNamedCsvAndATableNamedXlsx() {
    byte[] book = Sheets.of(List.of(List.of("artNo", "title", "price"), List.of("A1", "Boot", 5)));

    Reply workbook = merchant.imports().run("p.csv", book, "apply=true");

    assertThat(counts(workbook)).isEqualTo("applied 1 0 0 0");
    assertThat(workbook.json().at("/source/format").asString()).isEqualTo("xlsx");
    assertThat(counts(merchant.imports().apply("p.xlsx", TABLE))).isEqualTo("applied 0 0 1 0");
  }

  @Test
  void warnsOfHiddenRowsAndImportsThem() {
    String sheet =
        """
        <worksheet><sheetData>
        <row r="1"><c>artNo</c><c>title</c><c>price</c></row>
        <row r="2" hidden="1"><c>A1</c><c>Boot</c><c>5</c></row>
        </sheetData></worksheet>
        """
            .replaceAll("<c>(.*?)</c>", "<c t=\"inlineStr\"><is><t>$1</t></is></c>");
    byte[] book = Sheets.archive("xl/worksheets/sheet1.xml", sheet);

    Reply reply = merchant.imports().run("p.xlsx", book, "apply=true");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 0");
    assertThat(reply.json().at("/warnings/0/code").asString()).isEqualTo("ROWS_HIDDEN");
    assertThat(reply.json().at("/warnings/0/msg").asString())
        .startsWith("Hidden rows in the workbook: 1,")
        .contains("delete them from the file");
  }

  /** Tables that only look like another format at first. */
  @ParameterizedTest
  @CsvSource({"'%PDF,artNo,title,price'", "'GIF,artNo,title,price'", "'<b>,artNo,title,price'"})
  void readsATableWhoseHeaderResemblesAnotherFormat(String header) {
    assertThat(counts(merchant.imports().apply("p.csv", header + "\nx,A1,Boot,5\n")))
        .isEqualTo("applied 1 0 0 0");
  }
}
