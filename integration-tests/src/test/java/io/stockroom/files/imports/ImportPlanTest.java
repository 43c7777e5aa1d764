package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static io.stockroom.files.imports.ProductImportTest.errors;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plan shows what an import would do before it changes anything. */
class ImportPlanTest {
  private static final String HEADER = "artNo,title,price,color,size,quantity,barCode\n";
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void showsDifferencesAndChangesNothingUntilItIsApplied() {
    merchant.imports().apply("p.csv", HEADER + "A1,Boot,5,红,36,1,691\nB1,Shoe,6,,,,\n");

    Reply plan =
        merchant
            .imports()
            .plan(
                "p.csv",
                HEADER
                    + "A1,Boots,7.5,红,36,2,692\nA1,,,红,37,3,\nB1,Shoe,6,,,,\nC1,New,1,黑,40,4,\n");

    assertThat(counts(plan)).isEqualTo("planned 1 1 1 0");
    assertThat(plan.json().get("stock").toString())
        .isEqualTo("{\"created\":2,\"changed\":1,\"unchanged\":0}");
    assertThat(differences(plan))
        .containsExactly(
            "2 A1 title Boot → Boots",
            "2 A1 price 5.00 → 7.50",
            "2 A1 stock 红 36 1 → 2",
            "2 A1 barCode 红 36 691 → 692",
            "3 A1 stock 红 37 null → 3");
    assertThat(merchant.productIds()).hasSize(2);
    assertThat(merchant.entries()).isEqualTo(1);

    int importId = plan.json().get("importId").asInt();
    assertThat(merchant.imports().ask(importId, "apply", "{}").status()).isEqualTo(202);
    assertThat(counts(merchant.imports().end(importId))).isEqualTo("applied 1 1 1 0");
    assertThat(merchant.productIds()).hasSize(3);
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(merchant.texts("select count(*) from import_piece where merchant_id = ?"))
        .containsExactly("0");
  }

  @Test
  void showsTheFirstTwentyDifferences() {
    StringBuilder old = new StringBuilder("artNo,title,price\n");
    for (int i = 0; i < 30; i++) {
      old.append("A").append(i).append(",Boot,5\n");
    }
    merchant.imports().apply("p.csv", old.toString());

    Reply plan = merchant.imports().plan("p.csv", old.toString().replace("Boot", "Shoe"));

    assertThat(counts(plan)).isEqualTo("planned 0 30 0 0");
    assertThat(differences(plan)).hasSize(20).startsWith("2 A0 title Boot → Shoe");
  }

  @Test
  void plansAgainWithAnotherMapping() {
    Reply first = merchant.imports().plan("p.csv", "Ref,Wording,Yuan\nA1,Boot,5\n");
    int importId = first.json().get("importId").asInt();
    assertThat(first.json().get("state").asString()).isEqualTo("failed");

    Reply asked =
        merchant
            .imports()
            .ask(
                importId,
                "plan",
                "{\"columns\":{\"Ref\":\"artNo\",\"Wording\":\"title\",\"Yuan\":\"price\"}}");

    assertThat(asked.status()).isEqualTo(202);
    assertThat(counts(merchant.imports().end(importId))).isEqualTo("planned 1 0 0 0");
    assertThat(merchant.imports().ask(importId, "plan", "{\"columns\":{\"Ref\":\"x\"}}").codes())
        .containsExactly("COLUMN_FIELD");
  }

  @ParameterizedTest
  @CsvSource({
    "5.00, 25.00, true",
    "5.00, 24.99, false",
    "5.00, 1.00, true",
    "5.00, 1.01, false",
    "0, 1, true"
  })
  void warnsAboutPricesThatChangeByAFactor(String old, String next, boolean warned) {
    merchant.imports().apply("p.csv", "artNo,title,price\nA1,t," + old + "\n");

    Reply plan = merchant.imports().plan("p.csv", "artNo,price\nA1," + next + "\n");

    assertThat(warnings(plan)).isEqualTo(warned ? List.of("PRICE_FACTOR") : List.of());
  }

  @ParameterizedTest
  @CsvSource({"'0,0,1,1', false", "'0,0,0,1', true", "'5,5,5,5', false"})
  void warnsIfMostStockFallsToZero(String quantities, boolean warned) {
    merchant.imports().apply("p.csv", "artNo,title,price,color,36,37,38,39\nA1,t,1,red,5,5,5,5\n");

    Reply plan =
        merchant.imports().plan("p.csv", "artNo,color,36,37,38,39\nA1,red," + quantities + "\n");

    assertThat(warnings(plan)).isEqualTo(warned ? List.of("STOCK_TO_ZERO") : List.of());
    if (warned) {
      assertThat(plan.json().at("/warnings/0/msg").asString())
          .isEqualTo("Entries that fall to zero: 3 of the 4 in the file that have stock.");
    }
  }

  @Test
  void rejectsABarcodeTwiceInAFile() {
    Reply reply =
        merchant
            .imports()
            .apply(
                "p.csv", HEADER + "A1,t,1,red,36,1,691\nA1,,,red,37,1,692\nB1,t,1,red,36,1,691\n");

    assertThat(errors(reply)).containsExactly("4 barCode BARCODE_IN_FILE_TWICE");
    assertThat(reply.json().at("/errors/0/msg").asString())
        .contains("\"691\" already occurs in row 2");
  }

  @Test
  void rejectsABarcodeOfAnotherEntryUnlessThatEntryChangesIts() {
    merchant.imports().apply("p.csv", HEADER + "A1,t,1,red,36,1,691\nA1,,,red,37,1,692\n");

    Reply used = merchant.imports().apply("p.csv", HEADER + "B1,t,1,red,36,1,691\n");
    Reply swapped =
        merchant.imports().apply("p.csv", HEADER + "A1,t,1,red,36,1,692\nA1,,,red,37,1,691\n");
    Reply same =
        merchant.imports().apply("p.csv", HEADER + "A1,t,1,red,36,1,692\nA1,,,red,37,1,691\n");

    assertThat(errors(used)).containsExactly("2 barCode BARCODE_USED");
    assertThat(used.json().at("/errors/0/msg").asString())
        .isEqualTo(
            "The barcode \"691\" of product B1, color \"red\", size 36 is already used by product"
                + " A1, color \"red\", size 36.");
    assertThat(counts(swapped)).isEqualTo("applied 0 1 0 0");
    assertThat(counts(same)).isEqualTo("applied 0 0 1 0");
  }

  @Test
  void onlyWarnsAboutSharedBarcodesIfTheyNeedNotBeUnique(@TempDir Path folder) {
    // on a separate database: another node with other settings could run the import
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(OwnDatabase.withTables()));
    settings.put("barcode-unique", "false");
    try (Stockroom server = Stockroom.start(folder, Settings.with(settings))) {
      TestMerchant free = TestMerchant.on(TestServer.of(server));

      Reply within =
          free.imports().apply("p.csv", HEADER + "A1,t,1,red,36,1,691\nB1,t,1,red,36,1,691\n");
      Reply outside = free.imports().apply("p.csv", HEADER + "C1,t,1,red,36,1,691\n");

      assertThat(counts(within)).isEqualTo("applied 2 0 0 0");
      assertThat(warnings(within)).containsExactly("BARCODE_SHARED");
      assertThat(counts(outside)).isEqualTo("applied 1 0 0 0");
      assertThat(warnings(outside)).containsExactly("BARCODE_SHARED");
    }
  }

  @Test
  void respondsInTheLanguageOfTheServer() {
    TestMerchant chinese = TestMerchant.on(TestServer.other());

    Reply reply = chinese.imports().apply("p.csv", HEADER + "A1,t,1,red,036-40,1,\n");

    assertThat(reply.json().at("/errors/0/msg").asString()).startsWith("“036-40”不是有效的尺码");
  }

  @Test
  void returnsEveryRowOfABadProductWithTheReason() {
    String file =
        "货号;标题;价格;颜色;尺码;数量\r\nA1;\"Bo;ot\";5;红;36;1\r\nB1;Shoe;6;黑;40;2\r\nA1;;;红;036-40;3\r\n";
    byte[] bytes = file.getBytes(Charset.forName("GBK"));

    Reply reply = merchant.imports().run("p.csv", bytes, "apply=true&skipBad=true");
    String rejected =
        new String(
            merchant.imports().rejected(reply.json().get("importId").asInt()),
            Charset.forName("GBK"));

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 1");
    assertThat(reply.json().get("rejected").asBoolean()).isTrue();
    assertThat(rejected.lines().toList())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("货号;标题;价格;颜色;尺码;数量;reason"),
            line ->
                assertThat(line)
                    .startsWith("A1;\"Bo;ot\";5;红;36;1;")
                    .contains("Another row of this product is bad, row 4: 尺码:"),
            line -> assertThat(line).startsWith("A1;;;红;036-40;3;").contains("is not a size"));

    Reply again =
        merchant
            .imports()
            .run(
                "p.rejected.csv",
                rejected.replace("036-40;3", "37;3").getBytes(Charset.forName("GBK")),
                "apply=true");
    assertThat(counts(again)).isEqualTo("applied 1 0 0 0");
    assertThat(again.json().get("ignored").toString()).isEqualTo("[]");
  }

  @Test
  void returnsRejectedRowsOfAWorkbookAsAWorkbook() {
    byte[] book =
        Sheets.of(
            List.of(
                List.of("artNo", "title", "price", "color", "36"),
                List.of("A1", "Boot", 5, "red", 1),
                List.of("A2", "Boot", "x", "red", 1),
                List.of("A3", "f=A1", 5, "red", 1)));

    Reply reply = merchant.imports().run("p.xlsx", book, "apply=true&skipBad=true");
    byte[] rejected = merchant.imports().rejected(reply.json().get("importId").asInt());
    Reply again = merchant.imports().run("p.xlsx", rejected, "apply=true");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 2");
    assertThat(counts(again)).isEqualTo("refused 1 0 0 1");
    assertThat(errors(again)).containsExactly("2 price CELL_FORMAT");
    assertThat(again.json().at("/source/columns/5/column").asString()).isEqualTo("reason");
  }

  @Test
  void returnsRejectedJsonLinesWithAReasonField() {
    String file =
        TestMerchant.line("A") + "\nnonsense\n{\"artNo\":\"B\",\"title\":\"t\",\"price\":\"x\"}\n";

    Reply reply =
        merchant.imports().run("p.jsonl", file.getBytes(UTF_8), "apply=true&skipBad=true");
    String rejected =
        new String(merchant.imports().rejected(reply.json().get("importId").asInt()), UTF_8);

    assertThat(rejected.lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("{\"line\":\"nonsense\",\"reason\":\""),
            line ->
                assertThat(line)
                    .startsWith(
                        "{\"artNo\":\"B\",\"title\":\"t\",\"price\":\"x\",\"reason\":\"price:"));
    assertThat(
            counts(
                merchant
                    .imports()
                    .apply("p.jsonl", rejected.lines().toList().get(1).replace("\"x\"", "5"))))
        .isEqualTo("applied 1 0 0 0");
  }

  @Test
  void hasNoRejectedFileIfAllRowsAreGood() {
    Reply reply = merchant.imports().apply("p.csv", "artNo,title,price\nA1,t,1\n");
    int importId = reply.json().get("importId").asInt();

    assertThat(reply.json().get("rejected").asBoolean()).isFalse();
    assertThat(
            Admin.of(TestServer.shared())
                .get(merchant.imports().path() + "/" + importId + "/rejected")
                .codes())
        .containsExactly("REJECTED_MISSING");
  }

  private static List<String> differences(Reply plan) {
    return plan.json()
        .get("differences")
        .valueStream()
        .map(
            each ->
                each.get("row").asInt()
                    + " "
                    + each.get("artNo").asString()
                    + " "
                    + each.get("field").asString()
                    + " "
                    + each.get("old").asString("null")
                    + " → "
                    + each.get("new").asString("null"))
        .toList();
  }

  private static List<String> warnings(Reply plan) {
    return plan.json().get("warnings").valueStream().map(w -> w.get("code").asString()).toList();
  }
}
