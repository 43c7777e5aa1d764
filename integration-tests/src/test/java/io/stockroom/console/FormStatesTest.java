package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Accessibility of states that people meet less often: rejected forms, open dialogs and menus,
 * empty lists; one in the light theme, the next in the dark one. The look tests check pages in
 * their normal state, and some of these states.
 */
class FormStatesTest {
  /** Submits a form as it is, without the browser's own checks. */
  private static final String SUBMIT =
      """
      ([action, fields]) => {
        const form = document.querySelector(`main form[method="post"][action$="${action}"]`);
        for (const [name, value] of Object.entries(fields)) {
          const field = [...form.elements].find((each) => each.name === name);
          if (field.tagName === "SELECT") {
            field.add(new Option(value));
          }
          field.value = value;
        }
        HTMLFormElement.prototype.submit.call(form);
      }
      """;

  /** The first wrong field has the focus, and says to screen readers what is wrong with it. */
  private static final String FOCUS =
      """
      () => {
        const field = document.activeElement;
        const first = document.querySelector('main [aria-invalid="true"]');
        if (!first || field !== first) {
          return `the focus is in ${field.outerHTML.slice(0, 120)}`;
        }
        const ids = `${field.getAttribute("aria-describedby")} ${field.getAttribute("aria-errormessage")}`;
        const texts = ids.split(" ").map((id) => document.getElementById(id)).filter(Boolean);
        return texts.some((text) => text.matches(".problem, .hint") && text.checkVisibility())
          ? "" : `nothing describes ${field.outerHTML}`;
      }
      """;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final List<String> faults = new ArrayList<>();
  private int states;

  @Test
  void rejectedFormsOfMerchantsAreAccessible() {
    int product = merchant.product();
    String application = "/console/applications/" + merchant.api().appid();
    TestPerson person = TestPerson.of(merchant).withPassword().again();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      String page = "/console/products/" + product;
      reject(browser, page, page + "/low-stock", Map.of("below", "few"));
      reject(browser, "/console/products/new", "/new", Map.of("title", "\u0007", "price", "=1+1"));
      reject(
          browser, "/console/products/bulk?product=" + product, "#preview", Map.of("value", "🎈"));
      reject(browser, "/console/account", "/preferences", Map.of("zone", "Mars/Base"));
      reject(browser, "/console/account", "/account", Map.of("former", "x", "password", "short"));
      reject(browser, application + "/tokens/new", "/tokens", Map.of("store", "\u0007"));
      reject(browser, "/console/webhooks", "/webhooks", Map.of("url", "javascript:1"));
      reject(browser, "/console/explorer/check", "/check", Map.of("text", "nonsense"));
      Page tab = browser.visit("/console/account/second-factor");
      tab.locator("main button.main").click();
      reject(browser, "/console/account/second-factor", "/confirm", Map.of("code", "1"));
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void rejectedFormsOfOperatorsAreAccessible() {
    String application = "/console/applications/" + merchant.api().appid();
    String page = "/console/merchants/" + merchant.id();
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.operator()).chinese()) {
      reject(browser, "/console/merchants", "/merchants", Map.of("name", "", "storeUrl", "🎈"));
      reject(browser, page, "/name", Map.of("name", "\u0007"));
      reject(browser, page, "/suspend", Map.of("reason", ""));
      reject(browser, page, "/close", Map.of("confirm", "another"));
      reject(browser, page, "/limits", Map.of("value", "many"));
      reject(browser, "/console/limits", "/limits", Map.of("value", "many"));
      reject(browser, "/console/people", "/people", Map.of("email", "nobody"));
      reject(browser, "/console/people", "/people", Map.of("email", "li@example.com"));
      reject(browser, "/console/applications", "/applications", Map.of("name", ""));
      reject(browser, application, "/name", Map.of("name", "\u0007"));
      reject(browser, application, application, Map.of("addresses", "somewhere"));
      reject(browser, application + "/tokens/new", "/tokens", Map.of("merchant", "x"));
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void openDialogsAndEmptyListsAreAccessible() {
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "black", "36-44", 5));
    TestPerson beginner = TestPerson.of(TestMerchant.fresh());
    String grid = "/console/products/%d/stock".formatted(product);
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant)).chinese()) {
      for (String dialog : List.of("set", "add-color")) {
        state(browser, grid, page -> page.locator("[data-do=" + dialog + "]").first().click());
      }
      state(browser, "/console/products", page -> page.locator(".views-menu summary").click());
      state(
          browser,
          "/console/products",
          page -> {
            page.keyboard().press("/");
            page.keyboard().type("nothing like it");
            page.locator("#palette").getByText("nothing like it").waitFor();
            page.locator("#palette .camera").click();
            page.locator("#palette .problem").waitFor();
          });
      for (String empty : List.of("changes", "audit?actor=nobody")) {
        state(browser, "/console/" + empty, _ -> {});
      }
      browser.signIn(beginner);
      for (String empty : List.of("requests", "usage", "applications")) {
        state(browser, "/console/" + empty, _ -> {});
      }
    }
    assertThat(faults).isEmpty();
  }

  private void reject(
      ConsoleBrowser browser, String path, String action, Map<String, String> fields) {
    state(
        browser,
        path,
        page -> {
          page.evaluate("document.documentElement.dataset.left = ''");
          page.evaluate(SUBMIT, List.of(action, fields));
          page.locator("html:not([data-left])").waitFor();
          page.waitForLoadState();
          Object fault = page.evaluate(FOCUS);
          if (!fault.equals("")) {
            faults.add(path + " " + fields + ": " + fault);
          }
        });
  }

  private void state(ConsoleBrowser browser, String path, Consumer<Page> prepare) {
    Page page = browser.visit(path);
    states++;
    page.emulateMedia(
        new Page.EmulateMediaOptions()
            .setColorScheme(states % 2 == 0 ? ColorScheme.LIGHT : ColorScheme.DARK)
            .setReducedMotion(ReducedMotion.REDUCE));
    prepare.accept(page);
    browser.contentFaults(page).forEach(fault -> faults.add(path + ": " + fault));
    LayoutFacts.faults(page).forEach(fault -> faults.add(path + ": " + fault));
  }
}
