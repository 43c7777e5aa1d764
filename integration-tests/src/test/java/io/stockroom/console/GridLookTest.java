package io.stockroom.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The look of the stock grid in each state; GridTest runs axe on most of them. */
class GridLookTest {
  /** The item number, which differs for each product. */
  private static final String NUMBER = ".trail a:nth-of-type(2)";

  private static final int MAX_PRODUCTS = 20;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Deque<Integer> products = new ArrayDeque<>(products(merchant));

  @Test
  void theGridLooksAsItShouldInEveryState() {
    Looks.check(
        "grid",
        merchant.server(),
        List.of(
            LookScene.fresh("grid-empty", person, () -> path(product())).measured(NUMBER),
            grid("grid", _ -> {}),
            grid("grid-saving", page -> save(page, _ -> {})).withoutAxe(),
            grid("grid-saved", GridLookTest::saved).withoutAxe(),
            grid("grid-conflict", this::conflict).withoutAxe(),
            grid("grid-rejected", GridLookTest::rejected).withoutAxe(),
            grid("grid-keys", page -> page.locator("[data-do=keys]").click()),
            grid("grid-sizes", page -> page.locator("[data-do=add-sizes]").click()),
            grid("grid-history", GridLookTest::history)
                .measured(NUMBER + ", .plot p, .plot .times")));
  }

  /** A full grid, with a new product each time. */
  private LookScene grid(String name, Consumer<Page> prepare) {
    return LookScene.fresh(name, person, () -> path(full()))
        .then(
            page -> {
              page.locator(".stock-grid").waitFor();
              prepare.accept(page);
            })
        .measured(NUMBER);
  }

  private static String path(int product) {
    return "/console/products/" + product + "/stock";
  }

  /** A product that no scene has used. */
  private int product() {
    return products.removeFirst();
  }

  private static List<Integer> products(TestMerchant merchant) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < MAX_PRODUCTS; i++) {
      lines.append(
          """
          {"artNo":"NO-%03d","title":"Canvas shoe with a rubber sole","price":59}
          """
              .formatted(i));
    }
    merchant.importProducts(lines.toString());
    return merchant.productIds();
  }

  private int full() {
    int product = product();
    Reply created =
        merchant
            .api()
            .create(
                Stock.list(
                    Stock.group(product, "black", Stock.size("35-46", 120)),
                    Stock.group(product, "白色", Stock.size("36-40", 0), Stock.size("41-43", 4)),
                    Stock.group(
                        product, "a color with a name that is long", Stock.size("36", 12500))));
    assertThat(created.success()).as(created.whole()).isTrue();
    return product;
  }

  private static void type(Page page, int row, int column, String... keys) {
    page.locator("td[data-row='%d'][data-column='%d']".formatted(row, column)).click();
    for (String key : keys) {
      page.keyboard().press(key);
    }
  }

  private static void edit(Page page) {
    type(page, 0, 0, "7", "Enter");
    type(page, 1, 1, "9", "9", "Enter");
    type(page, 2, 3, "5", "Enter");
    assertThat(page.locator("#grid-bar [data-do=save]")).isVisible();
  }

  /** Saves, and lets {@code answer} respond instead of the server. */
  private static void save(Page page, Consumer<Route> answer) {
    edit(page);
    page.route(url -> url.endsWith("/stock"), answer);
    page.waitForRequest(
        request -> request.method().equals("POST"),
        () -> page.locator("#grid-bar [data-do=save]").click());
  }

  private static void saved(Page page) {
    edit(page);
    page.locator("#grid-bar [data-do=save]").click();
    assertThat(page.locator("#grid-bar [data-do=save]")).isHidden();
    assertThat(page.locator("#grid-bar [data-do=undo-all]")).isHidden();
    assertThat(page.locator("#grid-status")).isVisible();
  }

  private void conflict(Page page) {
    edit(page);
    String[] path = URI.create(page.url()).getPath().split("/", -1);
    int product = Integer.parseInt(path[path.length - 2]);
    merchant.api().create(Stock.one(product, "black", "35-36", 90));
    page.locator("#grid-bar [data-do=save]").click();
    assertThat(page.locator("#grid-conflicts li")).hasCount(1);
  }

  private static void rejected(Page page) {
    String problems = "{\"problems\":[{\"at\":\"[0].quantity\",\"text\":\"At most 2147483647.\"}]}";
    save(page, answer(422, "application/json", problems));
    assertThat(page.locator("td[aria-invalid=true]")).hasCount(1);
  }

  private static Consumer<Route> answer(int status, String type, String body) {
    return route ->
        route.fulfill(
            new Route.FulfillOptions().setStatus(status).setContentType(type).setBody(body));
  }

  private static void history(Page page) {
    page.locator("[data-do=history]").click();
    page.locator("#grid-history li").first().waitFor();
  }
}
