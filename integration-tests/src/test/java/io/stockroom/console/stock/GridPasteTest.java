package io.stockroom.console.stock;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.stockroom.console.stock.GridActions.cell;
import static io.stockroom.console.stock.GridActions.focus;
import static io.stockroom.console.stock.GridActions.paste;
import static io.stockroom.console.stock.GridActions.press;
import static io.stockroom.console.stock.GridActions.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pasting blocks of cells from a spreadsheet. */
class GridPasteTest {
  private static final String COPY =
      """
      () => {
        window.copied = new DataTransfer();
        document.activeElement.dispatchEvent(new ClipboardEvent(
          "copy", { clipboardData: window.copied, bubbles: true, cancelable: true }));
      }
      """;
  private static final String PASTE_COPIED =
      """
      () => document.activeElement.dispatchEvent(new ClipboardEvent(
        "paste", { clipboardData: window.copied, bubbles: true, cancelable: true }))
      """;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final TestMerchant merchant = TestMerchant.fresh();
  private final int product = merchant.product();
  private final TestPerson person = TestPerson.of(merchant);

  /** Blocks pasted at red 37 into a grid of black, red and café in 36, 37 and 38. */
  private static Map<String, String> blocks() {
    Map<String, String> blocks = new LinkedHashMap<>();
    // plain blocks, including ones that start like sizes or with an empty cell
    blocks.put("5\t6\n7\t8", "red 37=5 red 38=6 café 37=7 café 38=8");
    blocks.put("36\t37\n5\t6", "red 37=36 red 38=37 café 37=5 café 38=6");
    blocks.put("\t6\n7\t8", "red 38=6 café 37=7 café 38=8");
    blocks.put("1,200\t\n\t１２", "red 37=1200 café 38=12");
    blocks.put("5\t6\t7\n1\t2\t3", "red 37=5 red 38=6 café 37=1 café 38=2 beyond 2");
    blocks.put("5\tfew\n1.5\t-4", "refused few@1,2 1.5@2,1 -4@2,2");
    // sizes above and colors on the left, in any order, case and Unicode form of é
    blocks.put("\t38\t36\nRED\t5\t6\n Cafe\u0301 \t7\t8", "red 38=5 red 36=6 café 38=7 café 36=8");
    blocks.put("Color\t37\nblack\t\nred\t4", "red 37=4");
    blocks.put("颜色/尺码\t36\t合计\nblack\t5\t5\n合计\t5\t5", "black 36=5");
    blocks.put("\t36\t39\nnavy\t1\t2\nred\t3\t", "navy 36=1 navy 39=2 red 36=3 +navy +39");
    blocks.put("\t36\t40\nnavy\t\t\nred\t3\t", "red 36=3");
    blocks.put("\t36\tNotes\nred\t3\t9", "red 36=3 without Notes");
    blocks.put("\t36\n101\t3", "101 36=3 +101");
    // only sizes or only colors
    blocks.put("Size\t38\t36\n\t5\t6", "red 38=5 red 36=6");
    blocks.put("black\t5\t6\nRed\t7\t8", "black 37=5 black 38=6 red 37=7 red 38=8");
    blocks.put("black\t36\t37\nred\t1\t2", "black 37=36 black 38=37 red 37=1 red 38=2");
    blocks.put("navy\t5", "navy 37=5 +navy");
    // invalid blocks
    blocks.put("\t36\t37\nred\tfew\t1", "refused few@2,2");
    blocks.put("\t36\t36\nred\t1\t2", "paste.twice 36");
    blocks.put("\t36\nred\t1\nRed\t2", "paste.twice red");
    blocks.put("\t36\nred\t1\n\t2", "paste.nameless 3");
    blocks.put("\t36\n" + "x".repeat(64) + "\t1", "x".repeat(64) + " 36=1 +" + "x".repeat(64));
    blocks.put("\t36\n" + "x".repeat(65) + "\t1", "paste.long 2");
    blocks.put("\t999\nred\t1", "red 999=1 +999");
    blocks.put("\t1000\nred\t1", "red 1000=1 +1000");
    blocks.put("\tXL\t36.5\nred\t1\t2", "red XL=1 red 36.5=2 +XL +36.5");
    return blocks;
  }

  @Test
  void recognizesRowsOfSizesAndColumnsOfColors() {
    create("black", "36", 1);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      blocks()
          .forEach(
              (block, result) ->
                  assertThat(read(page, "quantity", block)).as(block).isEqualTo(result));
      // barcodes are often text: only colors of the grid make a color column
      assertThat(read(page, "barcode", "A1\tA2\nA3\t")).isEqualTo("red 37=A1 red 38=A2 café 37=A3");
      assertThat(read(page, "barcode", "Black\tA1\nred\tA2")).isEqualTo("black 37=A1 red 37=A2");
      assertThat(read(page, "barcode", "\t36\nnavy\t690")).isEqualTo("navy 36=690 +navy");
    }
  }

  @Test
  void pastesItsOwnCellsUnchanged() {
    create("black", "36-38", 1);
    create("red", "37", 36);
    create("red", "38", 37);
    create("tan", "36-38", 2);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      // the copied block looks like a table with sizes above, but is not
      focus(page, 1, 0);
      press(page, "Shift+ArrowDown", "Shift+End");
      page.evaluate(COPY);
      press(page, "Control+Home");
      page.evaluate(PASTE_COPIED);
      assertThat(status(page)).hasText("Cells pasted: 5 · 5 changes");
      press(page, "Control+s");
      assertThat(status(page)).hasText("Saved.");
      assertThat(entries())
          .contains("black 36 1", "black 37 36", "black 38 37", "red 36 2", "red 37 2", "red 38 2");
    }
  }

  @Test
  void matchesByColorAndSizeAndPastesInOneStep() {
    create("black", "36-38", 1);
    create("red", "36-38", 2);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      focus(page, 1, 1);
      paste(page, "Color\t38\t36\r\nRed\t7\t5\r\nBLACK\t\t4\r\n");
      assertThat(status(page)).hasText("Cells pasted by color and size: 3 · 3 changes");
      press(page, "Control+z");
      assertThat(status(page)).isHidden();
      press(page, "Control+y", "Control+s");
      assertThat(status(page)).hasText("Saved.");
      assertThat(merchant.api().stock(product).data("stock"))
          .containsExactly("4", "1", "1", "5", "2", "7");

      // an invalid block changes nothing, and the message says what and where
      paste(page, "5\tfew\n1.5\t2");
      assertThat(page.locator("#messages"))
          .containsText("“few” in row 1, column 2, “1.5” in row 2, column 1");
      paste(page, "some");
      assertThat(page.locator("#messages")).containsText("“some” in row 1, column 1");
      assertThat(status(page)).hasText("Saved.");
      assertThat(browser.contentFaults(page)).isEmpty();
    }
  }

  @Test
  void offersToAddMissingColorsAndSizes() {
    create("black", "36-37", 1);
    String block = "\t36\t39\tTotal\tNotes\nblack\t4\t5\t9\tgood\nnavy\t6\t\t6\t\n";
    try (ConsoleBrowser browser = ConsoleBrowser.of(person).dark()) {
      Page page = browser.open(path());
      Locator dialog = page.locator("#grid-paste");
      focus(page, 0, 1);
      paste(page, block);
      assertThat(dialog.locator("li"))
          .hasText(
              new String[] {
                "New colors: navy",
                "New sizes: 39",
                "Skipped, because these column headings are not sizes: Notes"
              });
      assertThat(dialog.locator("tr"))
          .hasText(new String[] {"Color3639 new", "black45", "navy new6"});
      assertThat(browser.contentFaults(page)).isEmpty();
      press(page, "Escape");
      assertThat(status(page)).isHidden();
      assertThat(cell(page, 0, 1)).isFocused();

      paste(page, block);
      choose(dialog, "Paste only matching (1)");
      assertThat(status(page)).hasText("Cells pasted by color and size: 1 · 1 change");
      press(page, "Control+z");

      paste(page, block);
      choose(dialog, "Add and paste");
      assertThat(status(page)).hasText("Cells pasted by color and size: 3 · 3 changes");
      assertThat(cell(page, 0, 1)).isFocused();
      press(page, "Control+z");
      assertThat(status(page)).isHidden();
      assertThat(page.locator("#grid tbody th")).hasText(new String[] {"black"});
      assertThat(page.locator("#grid thead th"))
          .hasText(new String[] {"Color", "36", "37", "Total"});
      press(page, "Control+y", "Control+s");
      assertThat(status(page)).hasText("Saved.");
      assertThat(entries())
          .containsExactlyInAnyOrder("black 36 4", "black 37 1", "black 39 5", "navy 36 6");
    }
  }

  @Test
  void pastesAWholeTableIntoAnEmptyGrid() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(person).chinese()) {
      Page page = browser.open(path());
      paste(page, "颜色\t36\t37\n米色\t3\t4\n黑色\t0\t\n");
      assertThat(page.locator("#grid-paste li")).hasText(new String[] {"新增颜色：米色、黑色", "新增尺码：36、37"});
      assertThat(browser.contentFaults(page)).isEmpty();
      choose(page.locator("#grid-paste"), "添加并粘贴");
      assertThat(cell(page, 0, 0)).isFocused();
      press(page, "Control+s");
      assertThat(status(page)).hasText("已保存。");
      assertThat(entries()).containsExactlyInAnyOrder("米色 36 3", "米色 37 4", "黑色 36 0");
    }
  }

  private static void choose(Locator dialog, String button) {
    dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button)).click();
    assertThat(dialog).isHidden();
  }

  /** The page's interpretation of a block, abbreviated. */
  private static String read(Page page, String field, String block) {
    List<List<String>> rows =
        Stream.of(block.split("\n", -1)).map(row -> List.of(row.split("\t", -1))).toList();
    JsonNode read =
        JSON.readTree(
            GridActions.call(
                page,
                "block",
                "readBlock",
                rows,
                Map.of(
                    "colors",
                    List.of("black", "red", "café"),
                    "sizes",
                    List.of("36", "37", "38"),
                    "field",
                    field,
                    "top",
                    1,
                    "left",
                    1)));
    JsonNode problem = read.path("problem");
    if (problem.isObject()) {
      return problem.path("name").asString() + " " + problem.path("values").path(0).asString();
    }
    if (!read.path("refused").isEmpty()) {
      return "refused" + list(read.path("refused"), " %s@%s,%s", "text", "row", "column");
    }
    int beyond = read.path("beyond").asInt();
    return list(read.path("cells"), " %s %s=%s", "color", "size", "text").strip()
        + list(read.path("colors"), " +%s")
        + list(read.path("sizes"), " +%s")
        + list(read.path("leftOut"), " without %s")
        + (beyond == 0 ? "" : " beyond " + beyond);
  }

  private static String list(JsonNode nodes, String format, String... fields) {
    StringBuilder text = new StringBuilder();
    for (JsonNode node : nodes) {
      Object[] values = Stream.of(fields).map(field -> node.path(field).asString()).toArray();
      text.append(format.formatted(fields.length == 0 ? new Object[] {node.asString()} : values));
    }
    return text.toString();
  }

  private List<String> entries() {
    var reply = merchant.api().stock(product);
    List<String> colors = reply.data("color");
    List<String> sizes = reply.data("size");
    List<String> quantities = reply.data("stock");
    return Stream.iterate(0, n -> n < colors.size(), n -> n + 1)
        .map(n -> colors.get(n) + " " + sizes.get(n) + " " + quantities.get(n))
        .toList();
  }

  private void create(String color, String sizes, int quantity) {
    assertThat(merchant.api().create(Stock.one(product, color, sizes, quantity)).success())
        .isTrue();
  }

  private String path() {
    return "/console/products/" + product + "/stock";
  }
}
