package io.stockroom.core.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.audit.Audit;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.SqlInSources;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every change of products and stock has a number, and is in the log. */
class ChangeLogTest {
  private static final Pattern WRITES =
      Pattern.compile(
          "(?:insert into|update|delete from|copy)\\s+(?:product|product_detail|stock_entry)\\b");

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void numbersEveryPathWithoutGaps() {
    int product = merchant.importedProducts(1).getFirst();
    merchant.api().create(Stock.one(product, "red", "36-37", 5));
    TestPerson person = TestPerson.of(merchant);
    Pages pages = Pages.of(person);
    String grid = "/console/products/" + product + "/stock";
    pages.json(grid, "[{\"color\":\"red\",\"size\":36,\"quantity\":[5,7]}]");
    pages.post(grid + "/history/3/undo", "others", "ask");
    String artNo = merchant.texts("select art_no from product where merchant_id = ?").getFirst();
    merchant
        .imports()
        .apply("p.csv", "artNo,title,price,color,36\n%s,New title,6,red,9\n".formatted(artNo));

    assertThat(
            merchant.texts(
                """
                select concat_ws(' ', number, source, kind, created, fields, undoes, sizes,
                  quantities_before, quantities_after)
                from change_log where merchant_id = ? order by number
                """))
        .containsExactly(
            "1 import product t {title,description,price,categoryIdTree,categoryNameTree,imgs,video,"
                + "attributes,colorImage}",
            "2 interface stock {b36,b37} {NULL,NULL} {5,5}",
            "3 console stock {b36} {5} {7}",
            "4 undo stock 3 {b36} {7} {5}",
            "5 import product f {price,title}",
            "6 import stock {b36} {5} {9}");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void changesOfOneTransactionShareTheirAuditEntry() throws Exception {
    List<Integer> products = merchant.importedProducts(2);
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(products.get(1), "red", Stock.size("36", 5)),
                Stock.group(products.get(0), "red", Stock.size("36", 5))));

    assertThat(
            merchant.texts(
                """
                select concat_ws(' ', a.action, a.first_change, a.last_change, count(c.number))
                from audit a join change_log c on c.merchant_id = a.merchant_id and c.batch = a.number
                where a.merchant_id = ? group by a.number, a.action, a.first_change, a.last_change
                order by a.number
                """))
        .containsExactly("products.import 1 2 2", "stock.create 3 4 2");
    assertThat(new Audit(merchant.server().cells()).verify().intact()).isTrue();
  }

  @Test
  void aRequestThatChangesNothingIsAuditedButHasNoChange() {
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "red", "36", 5));
    merchant.api().create(Stock.one(product, "red", "36", 5));

    assertThat(
            merchant.texts(
                """
                select coalesce(last_change::text, 'none') from audit
                where merchant_id = ? and action = 'stock.create' order by number
                """))
        .containsExactly("2", "none");
  }

  /** A new writer has to be added here, and its path to the test above. The generator copies. */
  @Test
  void onlyTheseClassesWriteProductsAndStock() throws Exception {
    Set<String> writers = new TreeSet<>();
    for (SqlInSources.Found found : SqlInSources.all()) {
      if (WRITES.matcher(found.text()).find()) {
        writers.add(found.where().replaceFirst("^[a-z.]+\\.(\\w+).*$", "$1"));
      }
    }

    assertThat(writers)
        .containsExactly(
            "AdjustedEntries",
            "CatalogueWriter",
            "ProductArchive",
            "ProductBlocks",
            "ProductPictures",
            "ProductWriter",
            "RemovedEntries",
            "StockEntries",
            "StockWriter",
            "UndoWriter",
            "UndoneProducts");
  }
}
