package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The modes set, add and replace, empty cells, and the warnings of a plan. */
class ImportModeTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @BeforeEach
  void catalog() {
    run(
        "set",
        """
        artNo,title,price,description,color,36,37,38
        A1,Boot,5,Warm,red,1,2,3
        A1,,,,blue,4,5,6
        A2,Shoe,6,,red,7,8,9
        """);
  }

  @Test
  void addsAndSubtractsAndAddsAgain() {
    String file =
        "artNo,color,size,quantity\nA1,red,36,10\nA1,red,37,-2\nA1,blue,39,+4\nA1,blue,36,0\n";

    assertThat(counts(run("add", file))).isEqualTo("applied 0 1 0 0");
    assertThat(stock()).contains("A1 red 36 11", "A1 red 37 0", "A1 blue 39 4", "A1 blue 36 4");
    run("add", file.replace("-2", "0"));

    assertThat(stock()).contains("A1 red 36 21", "A1 blue 39 8");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void rejectsASumThatIsNegativeOrTooLarge() {
    Reply inside = run("add", "artNo,color,size,quantity\nA1,red,36,-1\nA1,red,37,2147483645\n");
    Reply below = run("add", "artNo,color,size,quantity\nA1,red,36,-1\n");
    Reply above = run("add", "artNo,color,size,quantity\nA1,red,37,1\n");
    Reply fresh =
        run(
            "add",
            "{\"artNo\":\"N\",\"title\":\"N\",\"price\":1,\"skus\":[{\"color\":\"red\",\"sizes\":[{\"size\":36,\"quantity\":\"-1\"}]}]}\n");

    assertThat(counts(inside)).isEqualTo("applied 0 1 0 0");
    assertThat(stock()).contains("A1 red 36 0", "A1 red 37 2147483647");
    assertThat(errors(below))
        .containsExactly(
            "2 A1 STOCK_INSUFFICIENT The quantity is 0; a change of -1 would make it negative.");
    assertThat(errors(above).getFirst()).startsWith("2 A1 STOCK_TOO_LARGE");
    assertThat(errors(fresh).getFirst()).startsWith("1 N STOCK_INSUFFICIENT");
  }

  @Test
  void replacesWhatTheFileLeavesOutOfTheProductsInIt() {
    Reply reply = run("replace", "artNo,color,36,37\nA1,red,9,\n");

    assertThat(counts(reply)).isEqualTo("applied 0 1 0 0");
    assertThat(stock())
        .containsExactly(
            "A1 red 36 9",
            "A1 red 37 2",
            "A1 red 38 0",
            "A1 blue 36 0",
            "A1 blue 37 0",
            "A1 blue 38 0",
            "A2 red 36 7",
            "A2 red 37 8",
            "A2 red 38 9");
    assertThat(reply.json().get("stock").toString())
        .isEqualTo("{\"created\":0,\"changed\":5,\"unchanged\":0}");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void aProductWithoutAnyEntryInTheFileIsNotReplaced() {
    assertThat(counts(run("replace", "artNo,title,color,36\nA1,Better boot,,\n")))
        .isEqualTo("applied 0 1 0 0");
    assertThat(stock()).contains("A1 red 36 1", "A1 blue 38 6");
  }

  @Test
  void anEmptyCellChangesNothingAndADashClears() {
    run("set", "artNo,title,price,description,color,36\nA1,,,,red,\n");
    assertThat(details()).containsExactly("A1 Boot 5.00 Warm", "A2 Shoe 6.00 ");

    run("set", "artNo,title,price,description\nA1,,,-\n");
    assertThat(details()).containsExactly("A1 Boot 5.00 ", "A2 Shoe 6.00 ");
    assertThat(stock()).contains("A1 red 36 1");
  }

  @Test
  void warnsOfTypingErrorsBeforeAnythingIsWritten() {
    Reply plan =
        merchant
            .imports()
            .run(
                "p.csv",
                """
                artNo,color,size,quantity
                A1,bleu,36,5
                A1,red,63,5
                A1,red,36,11
                A1,red,38,30
                A2,red,36-38,0
                """
                    .getBytes(UTF_8),
                "apply=false");

    List<String> warnings = new ArrayList<>();
    plan.json()
        .get("warnings")
        .forEach(
            each -> warnings.add(each.get("code").asString() + " " + each.get("msg").asString()));
    assertThat(warnings)
        .contains(
            "COLOR_NEW Colors that are new to their product: 1. Check them for typing errors; the"
                + " nearest existing color follows each: A1 “bleu” ≈ “blue”.",
            "SIZE_UNUSUAL Entries with a size outside the sizes of their product: 1."
                + " They are: A1 red 63 (36–38).",
            "QUANTITY_JUMP Quantities that change by more than ten times: 1."
                + " They are: A1 red 36: 1 → 11.",
            "PRODUCT_SOLD_OUT Products that would sell out: 1. They are: A2.");
  }

  @Test
  void warnsOfSizesThatLookAlike() {
    merchant.imports().apply("p.csv", "artNo,color,size,quantity\nA1,red,XXL,5\nA2,red,XL,5\n");

    Reply plan =
        merchant
            .imports()
            .run(
                "p.csv",
                "artNo,color,size,quantity\nA1,red,2xl,5\nA1,red,One size,5\nA1,red,One-Size,5\nA2,red,L,1\n"
                    .getBytes(UTF_8),
                "apply=false");

    assertThat(plan.json().get("warnings").valueStream().map(each -> each.get("msg").asString()))
        .filteredOn(msg -> msg.contains("look alike"))
        .containsExactly(
            "Products whose sizes look alike: 2. They are: A1 2xl ≈ XXL, A1 One size ≈ One-Size.");
  }

  @Test
  void rejectsAnUnknownMode() {
    assertThat(merchant.imports().run("p.csv", "artNo\nA1\n".getBytes(UTF_8), "mode=merge").codes())
        .containsExactly("MODE_UNKNOWN");
  }

  private Reply run(String mode, String file) {
    return merchant
        .imports()
        .run(
            file.startsWith("{") ? "p.jsonl" : "p.csv",
            file.getBytes(UTF_8),
            "apply=true&mode=" + mode);
  }

  private static List<String> errors(Reply reply) {
    List<String> errors = new ArrayList<>();
    reply
        .json()
        .get("errors")
        .forEach(
            each ->
                errors.add(
                    each.get("row").asInt()
                        + " "
                        + each.get("artNo").asString()
                        + " "
                        + each.get("code").asString()
                        + " "
                        + each.get("msg").asString()));
    return errors;
  }

  private List<String> stock() {
    return merchant.texts(
        """
        select concat_ws(' ', p.art_no, c.color, e.size_text, e.quantity) from stock_entry e
        join stock_color c using (merchant_id, product_id, color_no)
        join product p using (merchant_id, product_id)
        where e.merchant_id = ? order by e.product_id, e.color_no, e.size
        """);
  }

  private List<String> details() {
    return merchant.texts(
        """
        select concat_ws(' ', p.art_no, d.title, d.price, d.description) from product p
        join product_detail d using (merchant_id, product_id)
        where p.merchant_id = ? order by p.product_id
        """);
  }
}
