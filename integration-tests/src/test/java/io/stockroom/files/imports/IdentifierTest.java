package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static io.stockroom.files.imports.ProductImportTest.errors;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Identifiers have no invisible characters and no mixed scripts. */
class IdentifierTest {
  private static final String HEADER = "artNo,title,price,color,size,quantity,barCode\n";
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void rejectsInvisibleCharactersInATableAndNamesThem() {
    Reply reply =
        merchant
            .imports()
            .apply(
                "p.csv",
                "\uFEFF"
                    + HEADER
                    + "A\u200B1,t,1,red,36,1,\nA2,t,1,r\u00ADed,36,1,\nA3,t,1,red,36,1,69\u2060\n"
                    + "A4,t\uFE0F,1,red,36,1,\n");

    assertThat(errors(reply))
        .containsExactly(
            "2 artNo TEXT_CHARACTERS", "3 color TEXT_CHARACTERS", "4 barCode TEXT_CHARACTERS");
    assertThat(reply.json().at("/errors/0/msg").asString())
        .isEqualTo(
            "\"A\\u200b1\" has U+200B at position 2: control, invisible and broken characters are"
                + " not allowed here. Remove it.");
    assertThat(reply.json().get("created").asInt()).as("the last one").isEqualTo(1);
  }

  @Test
  void rejectsInvisibleCharactersInJsonLines() {
    String line =
        """
        {"artNo":"%s","title":"👩\u200D👧","price":1,"skus":[{"color":"%s","sizes":[{"size":36,"quantity":1,"barCode":"%s"}]}]}
        """;
    String lines =
        line.formatted("A1\\uFEFF", "red", "1")
            + line.formatted("A2", "\\u3164", "2")
            + line.formatted("A3", "red", "3\\uDB40\\uDC01")
            + line.formatted("A4", "red", "4");

    Reply reply =
        merchant.imports().run("p.jsonl", lines.getBytes(UTF_8), "apply=true&skipBad=true");

    assertThat(errors(reply))
        .containsExactly(
            "1 artNo TEXT_CHARACTERS",
            "2 skus[0].color TEXT_CHARACTERS",
            "3 skus[0].sizes[0].barCode TEXT_CHARACTERS");
    assertThat(counts(reply)).isEqualTo("applied 1 0 0 3");
  }

  @Test
  void rejectsInvisibleCharactersInACreateAndInTheGrid() {
    int pid = merchant.product();
    Reply reply = merchant.api().create(Stock.one(pid, "re\\u200Ed", "36", 1));
    Pages pages = Pages.of(TestPerson.of(merchant));
    String cell =
        "[{\"color\":\"%s\",\"size\":36,\"quantity\":[null,5],\"barcode\":[null,\"%s\"]}]";
    String grid = "/console/products/" + pid + "/stock";

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("TEXT_CHARACTERS");
    assertThat(reply.msg()).contains("[0].color", "U+200E at position 3");
    assertThat(pages.json(grid, cell.formatted("red\\u202E", "1")).body())
        .contains("U+202E at position 4");
    assertThat(pages.json(grid, cell.formatted("red", "1\\u115F")).body())
        .contains("U+115F at position 2");
    assertThat(merchant.entries()).isZero();
    assertThat(pages.json(grid, cell.formatted("red", "1")).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "'А100', 'red', '', 0", // all Cyrillic or digits
    "'AА100', 'red', '', 1",
    "'A-А', 'red', '', 0",
    "'A1', 'сrimson', '', 1",
    "'A1', 'красный red', '', 0",
    "'A1', '红red', '', 0",
    "'A1', 'blue', 'XΑ1', 1",
    "'Bоot', 'rеd', 'Εan', 3"
  })
  void warnsAboutMixedAlphabetsInOneWord(String artNo, String color, String code, int total) {
    Reply plan =
        merchant
            .imports()
            .plan("p.csv", HEADER + "%s,Bооt,1,%s,36,1,%s\n".formatted(artNo, color, code));

    assertThat(counts(plan)).isEqualTo("planned 1 0 0 0");
    assertThat(plan.json().get("warnings").valueStream().map(each -> each.get("msg").asString()))
        .hasSize(total == 0 ? 0 : 1)
        .allMatch(
            message -> message.contains("Cyrillic or Greek ones in one word: " + total + "."));
  }

  @Test
  void namesTheFirstMixedNameAndCountsEachColorOnce() {
    String rows = "A1,t,1,rеd,36,1,\nA1,,,rеd,37,1,\nA2,t,1,rеd,36,1,\n";

    assertThat(
            merchant.imports().plan("p.csv", HEADER + rows).json().at("/warnings/0/msg").asString())
        .contains("in one word: 2. The first is \"rеd\", in row 2.");
    assertThat(List.of("rеd")).doesNotContain("red");
  }
}
