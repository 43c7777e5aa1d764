package io.stockroom.core.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProductListTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void returnsExactlyTheDocumentedFieldsInOrder() {
    int pid = merchant.product();

    Reply reply = api.products("page=1");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":true,"totalPages":1,"data":[{"id":%d,"artNo":"A1",\
            "pic":"http://pictures.example/A1.jpg"}]}"""
                .formatted(pid));
    assertThat(reply.header("content-type").orElseThrow().replace(" ", ""))
        .isEqualTo("application/json;charset=utf-8");
    assertThat(reply.header("date")).isPresent();
  }

  @Test
  void hasNoPagesWithoutProducts() {
    assertThat(api.products("page=1").body())
        .isEqualTo("{\"success\":true,\"totalPages\":0,\"data\":[]}");
  }

  @Test
  void returns50ProductsPerPage() {
    merchant.products(50);
    assertThat(api.products("page=1").body()).startsWith("{\"success\":true,\"totalPages\":1,");
    merchant.product();

    assertThat(api.products("page=1").data()).hasSize(50);
    assertThat(api.products("page=1").json().get("totalPages").asInt()).isEqualTo(2);
    assertThat(api.products("page=2").data()).hasSize(1);
  }

  @Test
  void ordersProductsById() {
    List<Integer> ids = new ArrayList<>(merchant.products(60));
    TestMerchant.fresh().products(3);
    ids.addAll(merchant.products(60));

    List<Integer> crawled = new ArrayList<>();
    for (int page = 1; page <= 3; page++) {
      api.products("page=" + page).data().forEach(p -> crawled.add(p.get("id").asInt()));
    }

    assertThat(crawled).isEqualTo(ids).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void returnsNoProductsBeyondTheLastPage() {
    merchant.product();

    for (String page : List.of("2", "2147483647")) {
      assertThat(api.products("page=" + page).body())
          .isEqualTo("{\"success\":true,\"totalPages\":1,\"data\":[]}");
      assertThat(api.products("stock=false&page=" + page).body())
          .isEqualTo("{\"success\":true,\"totalPages\":1,\"data\":[]}");
    }
  }

  @Test
  void readsThePageFromTheQueryStringToo() {
    merchant.product();

    Reply query = api.call("/Stock/Product").query("page=1").send();
    Reply both = api.call("/Stock/Product").query("page=1").form("page=1").send();

    assertThat(query.data()).hasSize(1);
    assertThat(both.body()).isEqualTo(query.body());
  }

  @Test
  void rejectsDifferentPagesInQueryStringAndBody() {
    Reply reply = api.call("/Stock/Product").query("page=1").form("page=2").send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("FIELD_CONFLICT");
    assertThat(reply.places()).containsExactly("page");
    assertThat(reply.msg()).contains("\"1\"", "\"2\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1.0", "+1", "one", "2147483648", "99999999999999999999", "１"})
  void rejectsAPageThatIsNotAWholeNumberFromOne(String page) {
    Reply reply = api.products("page=" + page);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("page");
  }

  @Test
  void requiresThePage() {
    assertThat(api.products("").codes()).containsExactly("FIELD_MISSING");
    assertThat(api.products("page=").codes()).containsExactly("FIELD_MISSING");
    assertThat(api.call("/Stock/Product").without("Content-Type").send().codes())
        .containsExactly("FIELD_MISSING");
  }

  @Test
  void filtersByStockAddedWhateverTheQuantity() {
    List<Integer> ids = merchant.products(3);
    api.create(Stock.one(ids.get(1), "red", "36", 0));

    assertThat(api.products("page=1&stock=true").data("id")).containsExactly("" + ids.get(1));
    assertThat(api.products("page=1&stock=false").data("id"))
        .containsExactly("" + ids.get(0), "" + ids.get(2));
    assertThat(api.products("page=1").data()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", "True", "tRuE"})
  void readsTheFilterInAnyCase(String filter) {
    merchant.product();

    assertThat(api.products("page=1&stock=" + filter).data()).isEmpty();
    assertThat(api.products("page=1&stock=FALSE").data()).hasSize(1);
  }

  @Test
  void treatsAnEmptyFilterAsOmitted() {
    merchant.product();

    assertThat(api.products("page=1&stock=").body()).isEqualTo(api.products("page=1").body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0", "yes", "%20true", "null"})
  void rejectsAFilterThatIsNeitherTrueNorFalse(String filter) {
    Reply reply = api.products("page=1&stock=" + filter);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("BOOLEAN_FORMAT");
  }

  @Test
  void ignoresUnknownFieldsAndRejectsARepeatedKnownOne() {
    assertThat(api.products("page=1&size=9&size=10&Page=7").success()).isTrue();
    Reply reply = api.products("page=1&page=1");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("FIELD_REPEATED");
    assertThat(api.products("page=1&stock=true&stock=true").codes())
        .containsExactly("FIELD_REPEATED");
  }

  @Test
  void listsAllProblemsOfTheParametersAtOnce() {
    assertThat(api.products("page=0&stock=maybe").places()).containsExactly("page", "stock");
  }

  @Test
  void requiresTheFormMediaTypeOnlyForABody() {
    assertThat(api.call("/Stock/Product").query("page=1").send().success()).isTrue();
    Reply reply = api.call("/Stock/Product").body("text/plain", "page=1").send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("CONTENT_TYPE");
    assertThat(
            api.call("/Stock/Product")
                .body("Application/X-WWW-Form-URLencoded; charset=UTF-8", "page=1")
                .send()
                .success())
        .isTrue();
  }

  @Test
  void takesThePageSizeFromItsSetting() {
    List<Integer> ids = merchant.products(3);
    Api small = api.on(TestServer.other());
    small.create(Stock.one(ids.get(2), "red", "36", 1));
    small.create(Stock.one(ids.get(0), "red", "36", 1));

    Reply first = small.products("page=1");
    assertThat(first.data("id")).containsExactly("" + ids.get(0), "" + ids.get(1));
    assertThat(first.json().get("totalPages").asInt()).isEqualTo(2);
    assertThat(small.products("page=2").data("id")).containsExactly("" + ids.get(2));
    assertThat(small.products("page=1&stock=true").data("id"))
        .containsExactly("" + ids.get(0), "" + ids.get(2));
    assertThat(small.products("page=2&stock=true").json().get("totalPages").asInt()).isEqualTo(1);
  }

  @Test
  void findsFilteredPagesAcrossManyBlocksOfProducts() {
    List<Integer> ids = merchant.products(600);
    StringBuilder groups = new StringBuilder();
    List<String> stocked = new ArrayList<>();
    for (int i = 7; i < 600; i += 5) {
      groups.append(',').append(Stock.group(ids.get(i), "red", Stock.size("36", 1)));
      stocked.add("" + ids.get(i));
    }
    api.create("[" + groups.substring(1) + "]");

    List<String> crawled = new ArrayList<>();
    int pages = api.products("page=1&stock=true").json().get("totalPages").asInt();
    for (int page = 1; page <= pages; page++) {
      crawled.addAll(api.products("stock=true&page=" + page).data("id"));
    }

    assertThat(crawled).isEqualTo(stocked);
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(api.products("page=1&stock=false").json().get("totalPages").asInt())
        .isEqualTo((600 - stocked.size() + 49) / 50);
  }
}
