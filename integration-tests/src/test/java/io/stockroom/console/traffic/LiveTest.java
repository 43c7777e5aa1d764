package io.stockroom.console.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import org.junit.jupiter.api.Test;

class LiveTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void showsNewCallsInLiveMode() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/requests");
      page.locator("button[name=live]").click();
      page.waitForURL("**live=true**");

      Reply reply = merchant.api().products("page=1");
      page.locator("a[href='/console/requests/" + Logged.id(reply) + "']").click();

      assertThat(page.title()).contains(Logged.id(reply));
      assertThat(page.locator("button[data-copy]").isVisible()).isTrue();
      assertThat(browser.contentFaults(page)).isEmpty();
    }
  }

  @Test
  void reportsTickedProducts() {
    int pid = merchant.product();
    merchant.api().detail(pid);
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant)).phone()) {
      Page page = browser.open("/console/usage");
      page.locator("#product-" + pid).check();
      page.locator("button[value=published]").click();

      assertThat(page.locator("#unpublished .note").textContent()).isEqualTo("1 result reported.");
    }
  }
}
