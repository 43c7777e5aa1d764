package io.stockroom.console.stock;

import static io.stockroom.console.stock.GridActions.cell;
import static io.stockroom.console.stock.GridActions.press;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prints how long the browser's main thread is busy with one frame while a person scrolls and edits
 * a grid of 100 colors and 40 sizes, for {@code lab/grid}.
 */
final class GridFrames {
  private static final int COLORS = Integer.getInteger("grid.colors", 100);
  private static final List<String> CATEGORIES =
      List.of("toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline");
  private static final JsonMapper JSON = new JsonMapper();

  private GridFrames() {}

  /** Exits, because threads of the server would go on. */
  public static void main(String[] arguments) {
    int code = 0;
    try {
      print();
    } catch (RuntimeException | AssertionError failure) {
      failure.printStackTrace();
      code = 1;
    }
    System.exit(code);
  }

  private static void print() {
    TestMerchant merchant = TestMerchant.fresh();
    int product = merchant.product();
    merchant
        .api()
        .create(
            Stock.list(
                IntStream.range(0, COLORS)
                    .mapToObj(i -> Stock.group(product, "color " + i, Stock.size("10-49", 7 + i)))
                    .toArray(String[]::new)));
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.blank();
      page.setViewportSize(1440, 900);
      System.out.printf("%-12s %12s %12s %8s%n", "step", "longest", "CPU", "> 50 ms");
      measure(page, "open", () -> open(browser, page, product));
      cell(page, 0, 0).click();
      measure(page, "arrows", () -> arrows(page));
      measure(page, "scroll", () -> scroll(page));
      measure(page, "type", () -> type(page));
      measure(page, "select all", () -> press(page, "Control+a"));
      measure(page, "fill", () -> press(page, "3", "Control+Enter"));
      measure(page, "undo", () -> press(page, "Control+z"));
      measure(page, "redo", () -> press(page, "Control+y"));
      measure(page, "paste", () -> GridActions.paste(page, table()));
    }
  }

  private static void open(ConsoleBrowser browser, Page page, int product) {
    browser.show(page, "/console/products/" + product + "/stock");
    cell(page, 0, 0).waitFor();
  }

  private static void arrows(Page page) {
    for (int i = 0; i < 20; i++) {
      press(page, i % 2 == 0 ? "ArrowDown" : "ArrowRight");
    }
  }

  private static void scroll(Page page) {
    page.mouse().move(600, 500);
    for (int i = 0; i < 20; i++) {
      page.mouse().wheel(i % 3 == 0 ? 200 : 0, 150);
      drawn(page);
    }
  }

  private static void type(Page page) {
    for (int i = 0; i < 10; i++) {
      press(page, "1", "2", "Enter");
    }
  }

  /** A table without headers as large as the grid. */
  private static String table() {
    return String.join(
        "\n", IntStream.range(0, COLORS).mapToObj(_ -> "5\t".repeat(39) + "5").toList());
  }

  /** Waits until two frames are drawn. */
  private static void drawn(Page page) {
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  private static void measure(Page page, String step, Runnable action) {
    Browser browser = Objects.requireNonNull(page.context().browser());
    browser.startTracing(page, new Browser.StartTracingOptions().setCategories(CATEGORIES));
    action.run();
    drawn(page);
    JsonNode events = JSON.readTree(browser.stopTracing()).path("traceEvents");
    Set<String> mainThreads = new HashSet<>();
    for (JsonNode event : events) {
      if (event.path("args").path("name").asString().equals("CrRendererMain")) {
        mainThreads.add(thread(event));
      }
    }
    double longest = 0;
    double cpu = 0;
    int slow = 0;
    for (JsonNode event : events) {
      if (event.path("name").asString().endsWith("RunTask")
          && mainThreads.contains(thread(event))) {
        longest = Math.max(longest, event.path("dur").asDouble() / 1000);
        cpu = Math.max(cpu, event.path("tdur").asDouble() / 1000);
        slow += event.path("dur").asDouble() > 50_000 ? 1 : 0;
      }
    }
    System.out.printf("%-12s %9.1f ms %9.1f ms %8d%n", step, longest, cpu, slow);
  }

  private static String thread(JsonNode event) {
    return event.path("pid").asString() + ":" + event.path("tid").asString();
  }
}
