package io.stockroom.core.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.catalogue.ProductArchive.Restore;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** An archived product is missing everywhere, and comes back as it was. */
class ProductArchiveTest {
  private static final Actor ACTOR = Actor.person("li@example.com", "127.0.0.1");

  private final TestMerchant merchant = TestMerchant.fresh();
  private final ProductArchive archive = new ProductArchive(merchant.server().cells(), true);

  @Test
  void isMissingInEveryCall() throws Exception {
    List<Integer> pids = merchant.products(2);
    int pid = pids.get(0);
    merchant
        .api()
        .create(
            Stock.list(Stock.group(pid, "red", Stock.size("36", 5, "690"), Stock.size("37", 6))));

    archive(pid);

    assertThat(merchant.api().stock(pid).json().get("msg").asString()).contains("does not exist");
    assertThat(merchant.api().detail(pid).success()).isFalse();
    assertThat(merchant.productIds()).containsExactly(pids.get(1));
    assertThat(merchant.api().products("page=1&stock=true").data()).isEmpty();
    assertThat(merchant.api().products("page=1&stock=false").data("id"))
        .containsExactly(String.valueOf(pids.get(1)));
    assertThat(merchant.application().create(Stock.one(pid, "red", "36", 1)).msg())
        .contains("does not exist");
    assertThat(
            merchant
                .api()
                .adjust(
                    """
                    [{"pid":%d,"color":"red","size":36,"change":1},\
                    {"artNo":"A1","color":"red","size":37,"change":1},\
                    {"barCode":"690","change":1}]"""
                        .formatted(pid))
                .codes())
        .containsExactly("PRODUCT_MISSING", "PRODUCT_MISSING", "BARCODE_UNKNOWN");
    assertThat(
            merchant
                .api()
                .call("/Product/Publish")
                .json("[{\"pid\":%d,\"result\":\"published\"}]".formatted(pid))
                .send()
                .codes())
        .containsExactly("PRODUCT_MISSING");
    assertThat(call("/Stock/Snapshot").json().get("products").isEmpty()).isTrue();
    assertThat(call("/Stock/Digest").json().get("entries").asInt()).isZero();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void comesBackAsItWas() throws Exception {
    List<Integer> pids = merchant.products(2);
    int pid = pids.get(0);
    merchant
        .api()
        .create(
            Stock.list(Stock.group(pid, "red", Stock.size("36", 5, "690"), Stock.size("37", 6))));
    List<String> before = state(pid);

    archive(pid);
    assertThat(archive.page(merchant.id(), 1).rows()).hasSize(1);
    assertThat(archive.page(merchant.id(), 1).rows().getFirst().quantity()).isEqualTo(11);
    assertThat(archive.find(merchant.id(), pid)).isNotNull();
    assertThat(archive.find(TestMerchant.fresh().id(), pid)).isNull();
    assertThat(restore(pid)).isEqualTo(new Restore.Done());

    assertThat(state(pid)).isEqualTo(before);
    assertThat(restore(pid)).isEqualTo(new Restore.Missing());
    assertThat(archive.archive(merchant.id(), -1, ACTOR)).isFalse();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void theFeedCarriesTheRemovalAndTheReturn() throws Exception {
    int pid = merchant.product();
    merchant.api().create(Stock.list(Stock.group(pid, "red", Stock.size("36", 5, "690"))));
    String guid = merchant.api().stock(pid).data("guid").getFirst();
    archive(pid);

    List<JsonNode> changes = new Feed(merchant.api()).next("limit=100");

    // also what was changed before
    assertThat(changes.get(1).get("entries").toString())
        .isEqualTo(
            "[{\"guid\":\"%s\",\"barCode\":\"690\",\"color\":\"red\",\"size\":36,\"before\":null,\"after\":5}]"
                .formatted(guid));
    assertThat(changes.get(2).get("fields").toString()).isEqualTo("[\"archived\"]");
    assertThat(changes.get(2).get("artNo").asString()).isEqualTo("A1");
    assertThat(changes.get(3).get("entries").toString())
        .isEqualTo(
            "[{\"guid\":\"%s\",\"barCode\":\"690\",\"color\":\"red\",\"size\":36,\"before\":5,\"after\":null}]"
                .formatted(guid));

    restore(pid);
    List<JsonNode> all = new Feed(merchant.api()).next("limit=100");
    assertThat(all.get(4).get("fields").toString()).isEqualTo("[\"restored\"]");
    assertThat(all.get(5).get("entries").get(0).get("after").asInt()).isEqualTo(5);
    assertThat(all.get(4).get("batch")).isEqualTo(all.get(5).get("batch"));
  }

  @Test
  void pagesHaveNoGapsAndNewProductsGetNewNumbers() throws Exception {
    List<Integer> created = merchant.products(120);
    List<Integer> archived = List.of(created.get(0), created.get(60), created.get(119));
    for (int pid : archived) {
      archive(pid);
    }
    List<Integer> pids = new ArrayList<>(created);
    pids.removeAll(archived);

    assertThat(merchant.productIds()).isEqualTo(pids);
    assertThat(merchant.api().products("page=2").data()).hasSize(50);
    assertThat(merchant.api().products("page=4").data()).isEmpty();

    pids.add(merchant.product());
    assertThat(merchant.productIds()).isEqualTo(pids);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void anImportOfItsItemNumberIsRejected() throws Exception {
    int pid = merchant.product();
    archive(pid);

    Reply planned = merchant.imports().plan("p.csv", "artNo,title,price\nA1,New,5\nB1,Other,5\n");

    assertThat(planned.json().toString()).contains("PRODUCT_ARCHIVED").contains("Restore it first");
    assertThat(planned.json().get("created").asInt()).isEqualTo(1);
    restore(pid);
    assertThat(
            merchant
                .imports()
                .apply("p.csv", "artNo,title,price\nA1,New,5\n")
                .json()
                .get("changed")
                .asInt())
        .isEqualTo(1);
  }

  @Test
  void itsBarcodesAreFreeUntilItComesBack() throws Exception {
    List<Integer> pids = merchant.products(2);
    String coded = Stock.list(Stock.group(pids.get(0), "red", Stock.size("36", 5, "690")));
    merchant.api().create(coded);
    archive(pids.get(0));
    assertThat(
            merchant
                .application()
                .create(Stock.list(Stock.group(pids.get(1), "red", Stock.size("36", 5, "690"))))
                .success())
        .isTrue();

    assertThat(restore(pids.get(0))).isInstanceOf(Restore.Rejected.class);

    merchant
        .application()
        .create(Stock.list(Stock.group(pids.get(1), "red", Stock.size("36", 5, "691"))));
    assertThat(restore(pids.get(0))).isEqualTo(new Restore.Done());
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void operatorsArchiveAndRestoreByItemNumber() {
    merchant.product();
    Admin admin = Admin.of(merchant.server());
    String path = "/admin/merchants/" + merchant.id() + "/products/";

    for (int i = 0; i < 2; i++) {
      Reply archived = admin.post(path + "archive", "{\"artNo\":\"A1\"}");
      assertThat(archived.status()).isEqualTo(200);
      assertThat(archived.json().get("archived").asBoolean()).isTrue();
      assertThat(merchant.productIds()).isEmpty();
    }
    assertThat(
            admin.post(path + "restore", "{\"artNo\":\"A1\"}").json().get("archived").asBoolean())
        .isFalse();
    assertThat(merchant.productIds()).hasSize(1);
    assertThat(admin.post(path + "archive", "{\"artNo\":\"A2\"}").codes())
        .containsExactly("PRODUCT_UNKNOWN");
    assertThat(admin.post("/admin/merchants/999999/products/archive", "{\"artNo\":\"A1\"}").codes())
        .containsExactly("MERCHANT_MISSING");
    assertThat(admin.post(path + "archive", "{}").status()).isEqualTo(400);
  }

  private void archive(int pid) throws SQLException {
    assertThat(archive.archive(merchant.id(), pid, ACTOR)).isTrue();
  }

  private Restore restore(int pid) throws SQLException {
    return archive.restore(merchant.id(), pid, ACTOR);
  }

  private Reply call(String path) {
    return merchant.api().call(path).form("").send();
  }

  /** What clients see of a product, and of the whole stock. */
  private List<String> state(int pid) {
    return List.of(
        merchant.api().stock(pid).body(),
        merchant.api().detail(pid).body(),
        merchant.api().products("page=1").body(),
        merchant.api().products("page=1&stock=true").body(),
        call("/Stock/Snapshot").json().get("products").toString(),
        call("/Stock/Digest").json().get("digest").toString());
  }
}
