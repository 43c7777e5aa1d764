package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The undo of a whole import: what it restores, what it leaves, and that it can be undone. */
class ImportUndoTest {
  private static final String BEFORE =
      """
      artNo,title,price,description,imgs,color,36,37,barCode
      A1,Boot,5.00,Warm,https://img.example.com/1.jpg,red,1,,6900000000011
      A1,,,,,blue,2,3,
      A2,Shoe,6.00,,,red,4,5,
      """;
  private static final String AFTER =
      """
      artNo,title,price,description,imgs,color,36,37
      A1,Winter boot,7.50,Warm,https://img.example.com/2.jpg,red,10,11
      A1,,,,,blue,20,3
      A2,,,,,red,40,50
      A3,Sandal,8.00,,,red,60,
      """;

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void restoresEveryEntryAndProductFieldThatNobodyChangedSince() {
    apply(BEFORE.replace(",barCode", "").replace(",6900000000011", ""));
    int job = apply(AFTER);

    Reply undo = undo(job);

    assertThat(counts(undo)).isEqualTo("applied 0 1 0 0");
    assertThat(stock())
        .containsExactly(
            "A1 red 36 1",
            "A1 red 37 0",
            "A1 blue 36 2",
            "A1 blue 37 3",
            "A2 red 36 4",
            "A2 red 37 5",
            "A3 red 36 0");
    assertThat(products())
        .containsExactly(
            "A1 Boot 5.00 {https://img.example.com/1.jpg} https://img.example.com/1.jpg",
            "A2 Shoe 6.00 {} ",
            "A3 Sandal 8.00 {} ");
    assertThat(undo.json().get("warnings").get(0).get("msg").asString())
        .isEqualTo(
            "New products of the import that stay in the catalog with stock 0: 1."
                + " The first is A3.");
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(
            merchant.texts(
                """
                select distinct concat_ws(' ', c.source, a.action, a.subject) from change_log c
                join audit a on a.merchant_id = c.merchant_id and a.number = c.batch
                where c.merchant_id = ? and c.undoes is not null
                """))
        .containsExactly("undo products.undo import " + job);
  }

  @Test
  void leavesWhatSomebodyChangedAndListsBothValues() {
    apply(BEFORE);
    int job = apply(AFTER);
    int product = productId("A1");
    merchant.api().create(Stock.one(product, "blue", "36", 99));
    apply("artNo,title\nA1,Better boot\n");

    Reply undo = undo(job);

    assertThat(counts(undo)).isEqualTo("applied 0 0 0 2");
    assertThat(stock()).contains("A1 blue 36 99", "A1 red 36 1", "A2 red 37 5");
    assertThat(products().getFirst()).startsWith("A1 Better boot 7.50");
    JsonNode errors = undo.json().get("errors");
    assertThat(errors.get(0).get("msg").asString())
        .isEqualTo("The product A1 was changed after the import, so its fields stay as they are.");
    assertThat(errors.get(1).get("artNo").asString()).isEqualTo("A1");
    assertThat(errors.get(1).get("msg").asString())
        .isEqualTo(
            "The entry blue 36 of A1 was changed after the import, so it stays at 99."
                + " It was 2 before the import, which wrote 20.");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void undoesAnUndo() {
    apply(BEFORE);
    int job = apply(AFTER);
    List<String> stock = stock();
    List<String> products = products();
    int undo = undo(job).json().get("importId").asInt();

    Reply redo = undo(undo);

    assertThat(counts(redo)).isEqualTo("applied 0 1 0 0");
    assertThat(stock()).isEqualTo(stock);
    assertThat(products()).isEqualTo(products);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void undoesAJobOnceAndOnlyIfItChangedSomething() {
    int job = apply(BEFORE);
    int same = apply(BEFORE);
    int planned = merchant.imports().plan("p.csv", AFTER).json().get("importId").asInt();
    undo(job);

    assertThat(merchant.imports().ask(job, "undo", "").codes()).containsExactly("IMPORT_UNDONE");
    assertThat(merchant.imports().ask(same, "undo", "").codes())
        .containsExactly("IMPORT_UNCHANGED");
    assertThat(merchant.imports().ask(planned, "undo", "").codes()).containsExactly("IMPORT_STATE");
    assertThat(TestMerchant.fresh().imports().ask(job, "undo", "").codes())
        .containsExactly("IMPORT_MISSING");
    assertThat(merchant.imports().show(job).json().get("undoable").asBoolean()).isFalse();
  }

  @Test
  void restoresBarcodesAndSaysWhenTheLogNoLongerHasTheChanges() {
    apply("artNo,title,price,color,size,quantity,barCode\nB1,Boot,5,red,36,1,690001\n");
    int job = apply("artNo,color,size,quantity,barCode\nB1,red,36,1,690002\n");

    undo(job);

    assertThat(merchant.texts("select barcode from stock_entry where merchant_id = ?"))
        .containsExactly("690001");
    int later = apply("artNo,color,size,quantity\nB1,red,36,2\n");
    assertThat(
            merchant.texts(
                """
                with gone as (delete from change_log where merchant_id = ? returning 1)
                select 'gone' from gone limit 1
                """))
        .containsExactly("gone");
    Reply failed = undo(later);
    assertThat(failed.json().get("state").asString()).isEqualTo("failed");
    assertThat(failed.json().get("reason").asString()).contains("can no longer be undone");
  }

  private int apply(String file) {
    Reply reply = merchant.imports().apply("p.csv", file);
    assertThat(reply.json().get("state").asString()).as(reply.body()).isEqualTo("applied");
    return reply.json().get("importId").asInt();
  }

  private Reply undo(int job) {
    Reply begun = merchant.imports().ask(job, "undo", "");
    assertThat(begun.status()).as(begun.body()).isEqualTo(202);
    return merchant.imports().end(begun.json().get("importId").asInt());
  }

  private int productId(String artNo) {
    return merchant.productIds().get(artNo.charAt(1) - '1');
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

  private List<String> products() {
    return merchant.texts(
        """
        select concat_ws(' ', p.art_no, d.title, d.price, d.imgs, p.pic) from product p
        join product_detail d using (merchant_id, product_id)
        where p.merchant_id = ? order by p.product_id
        """);
  }
}
