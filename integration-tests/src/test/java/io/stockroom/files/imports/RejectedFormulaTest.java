package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static io.stockroom.files.imports.ProductImportTest.errors;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.junit.jupiter.api.Test;

/** Nothing in a file of rejected rows runs as a formula, and the file can be imported again. */
class RejectedFormulaTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void guardsFormulasInCsvAndReadsThemBack() {
    String file =
        """
        artNo,title,price,=note
        A1,=1+1,x,@a
        A2,-5 °C,x,+1
        A3,'=2,x,a=b
        A4,＝3,x,'quoted'
        A5,"\t4",x,
        A6,a-b,x,
        """;

    String rejected = rejected(merchant.imports().run("p.csv", file.getBytes(UTF_8), "apply=true"));

    assertThat(rejected.lines().map(line -> line.replaceFirst(",(\"|reason).*$", "")).toList())
        .containsExactly(
            "artNo,title,price,'=note",
            "A1,'=1+1,x,'@a",
            "A2,'-5 °C,x,'+1",
            "A3,'=2,x,a=b",
            "A4,'＝3,x,'quoted'",
            "A5,'\t4,x,",
            "A6,a-b,x,");
    String corrected = rejected.replace(",x,", ",5,").replace("'\t4", "4");
    assertThat(counts(merchant.imports().apply("p.csv", corrected))).isEqualTo("applied 6 0 0 0");
    assertThat(titles()).containsExactly("=1+1", "-5 °C", "=2", "＝3", "4", "a-b");
  }

  @Test
  void guardsAReasonThatLooksLikeAFormula() {
    String file = "artNo,title,=price\nA1,Boot,x\n";

    String rejected = rejected(merchant.imports().run("p.csv", file.getBytes(UTF_8), "apply=true"));

    assertThat(rejected.lines().toList())
        .satisfiesExactly(
            header -> assertThat(header).isEqualTo("artNo,title,'=price,reason"),
            row -> assertThat(row.replace("\"", "")).startsWith("A1,Boot,x,'=price: "));
    assertThat(counts(merchant.imports().apply("p.csv", rejected.replace(",x,", ",5,"))))
        .isEqualTo("applied 1 0 0 0");
  }

  @Test
  void writesFormulasOfAWorkbookAsTextAndReadsThemBack() throws IOException {
    byte[] book =
        Sheets.of(
            List.of(
                List.of("artNo", "title", "price"),
                List.of("A1", "f=1+1", 5),
                List.of("A2", "f=HYPERLINK(\"http://x.test\")", 6)));
    Reply reply = merchant.imports().run("p.xlsx", book, "apply=true");
    byte[] rejected = merchant.imports().rejected(reply.json().get("importId").asInt());

    assertThat(errors(reply)).containsExactly("2 title CELL_FORMULA", "3 title CELL_FORMULA");
    assertThat(sheet(book)).contains("<f>");
    assertThat(sheet(rejected)).doesNotContain("<f>").contains("<t").contains("=1+1");
    assertThat(counts(merchant.imports().run("p.xlsx", rejected, "apply=true")))
        .isEqualTo("applied 2 0 0 0");
    assertThat(titles()).containsExactly("=1+1", "=HYPERLINK(\"http://x.test\")");
  }

  private String rejected(Reply reply) {
    return new String(merchant.imports().rejected(reply.json().get("importId").asInt()), UTF_8);
  }

  private List<String> titles() {
    return merchant.texts(
        "select title from product_detail where merchant_id = ? order by product_id");
  }

  private static String sheet(byte[] workbook) throws IOException {
    try (ZipArchiveInputStream zip =
        new ZipArchiveInputStream(new ByteArrayInputStream(workbook), "UTF-8", true, true)) {
      for (ZipArchiveEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().equals("xl/worksheets/sheet1.xml")) {
          return new String(zip.readAllBytes(), UTF_8);
        }
      }
    }
    throw new AssertionError("no sheet");
  }
}
