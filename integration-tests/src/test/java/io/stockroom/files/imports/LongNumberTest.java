package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static io.stockroom.files.imports.ProductImportTest.errors;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A number that is too long is rejected before parsing, which would take quadratic time. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LongNumberTest {
  private static final String LONG = "9".repeat(999_999);
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void isRejectedInAWorkbookEvenManyTimes() {
    StringBuilder rows = new StringBuilder(header());
    for (int i = 1; i <= 5; i++) {
      rows.append(row("A" + i, i % 2 == 0 ? LONG : "0." + "3".repeat(999_997)));
    }

    Reply reply = merchant.imports().run("p.xlsx", Sheets.raw(rows.toString()), "apply=true");

    assertThat(counts(reply)).isEqualTo("refused 0 0 0 5");
    assertThat(errors(reply)).hasSize(5).startsWith("2 price TEXT_TOO_LONG");
    assertThat(reply.json().at("/errors/0/msg").asString())
        .endsWith("…\" has 999999 characters; at most 40 are allowed.");
  }

  @ParameterizedTest
  @CsvSource({
    "59.900000000000006, applied 1 0 0 0",
    "5.990000000000000000000000000000000000E1, applied 1 0 0 0",
    "5.9900000000000000000000000000000000000E1, refused 0 0 0 1",
    "1E999999999, refused 0 0 0 1",
    "1E-999999999, refused 0 0 0 1"
  })
  void isLimitedTo40CharactersInAWorkbook(String number, String counts) {
    byte[] book = Sheets.raw(header() + row("A1", number));

    assertThat(counts(merchant.imports().run("p.xlsx", book, "apply=true"))).isEqualTo(counts);
  }

  @Test
  void isRejectedInATable() {
    String file =
        "artNo,title,price,color,size,quantity\nA1,t,%1$s,red,36,1\nA2,t,1,red,%1$s,1\nA3,t,1,red,36,%1$s\n"
            .formatted(LONG);

    assertThat(errors(merchant.imports().apply("p.csv", file)))
        .containsExactly("2 price CELL_FORMAT", "3 size TEXT_TOO_LONG", "4 quantity NUMBER_FORMAT");
  }

  @Test
  void isRejectedInAJsonLine() {
    String line = "{\"artNo\":\"A\",\"title\":\"t\",\"price\":%s}\n";

    Reply reply =
        merchant
            .imports()
            .run(
                "p.jsonl",
                (line.formatted(LONG) + line.formatted("\"" + LONG + "\"")).getBytes(UTF_8),
                "apply=true");

    assertThat(errors(reply)).containsExactly("1  JSON_BROKEN", "2 price FIELD_TYPE");
    assertThat(reply.json().at("/errors/0/msg").asString())
        .startsWith("The JSON is invalid at line 1, column ")
        .endsWith(": a number has too many characters.");
  }

  @Test
  void isRejectedInEveryRequest() {
    int pid = merchant.product();
    Pages pages = Pages.of(TestPerson.of(merchant));
    String cell = "[{\"color\":\"red\",\"size\":36,\"quantity\":[null,%s]}]";

    String create = Stock.one(pid, "red", "36", 1).replace(":1}", ":" + LONG + "}");
    assertThat(merchant.api().create(create).codes()).containsExactly("JSON_BROKEN");
    assertThat(merchant.api().products("page=" + LONG).codes()).containsExactly("NUMBER_FORMAT");
    assertThat(
            Admin.of(TestServer.shared())
                .post("/admin/merchants", "{\"name\":" + "9".repeat(41) + "}")
                .codes())
        .contains("JSON_BROKEN");
    String grid = "/console/products/" + pid + "/stock";
    assertThat(pages.json(grid, cell.formatted("9".repeat(41))).body())
        .contains("a number has too many characters");
    assertThat(pages.json(grid, cell.formatted("5")).statusCode()).isEqualTo(200);
  }

  private static String header() {
    return "<row r=\"1\">" + text("artNo") + text("title") + text("price") + "</row>";
  }

  private static String row(String artNo, String price) {
    return "<row>" + text(artNo) + text("t") + "<c><v>" + price + "</v></c></row>";
  }

  private static String text(String text) {
    return "<c t=\"inlineStr\"><is><t>" + text + "</t></is></c>";
  }
}
