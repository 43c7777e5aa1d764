package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each layout problem is found, and similar valid layouts are not reported. */
class LayoutFactsTest {
  private final ConsoleBrowser browser = ConsoleBrowser.stranger();
  private final Page page = browser.blank();

  @AfterEach
  void close() {
    browser.close();
  }

  @Test
  void reportsOverlaps() {
    assertThat(faults("<p>one</p><p style='margin-top:-30px'>other</p>"))
        .singleElement()
        .asString()
        .startsWith("overlap: \"one\" (body > p)")
        .contains("\"other\"", "px");
    assertThat(faults("<p>one</p><p>other</p>")).isEmpty();
    // positioned elements overlap on purpose
    assertThat(faults("<p>one</p><p style='position:absolute;top:10px'>menu</p>")).isEmpty();
  }

  @Test
  void reportsTruncatedText() {
    String box = "<p style='width:40px;white-space:nowrap;overflow:%s'>a long sentence</p>";
    assertThat(faults(box.formatted("hidden"))).singleElement().asString().startsWith("cut off: ");
    assertThat(faults(box.formatted("auto"))).isEmpty();
    assertThat(
            faults(
                box.formatted("hidden;text-overflow:ellipsis")
                    .replace("<p", "<p title='a long sentence'")))
        .isEmpty();
  }

  @Test
  void reportsOverflow() {
    String bar =
        "<div style='height:%dpx;border:1px solid'><button style='height:32px'>Save</button></div>";
    assertThat(faults(bar.formatted(18)))
        .isNotEmpty()
        .allSatisfy(fault -> assertThat(fault).startsWith("outside its box: \"Save\""));
    assertThat(faults(bar.formatted(40))).isEmpty();
    assertThat(faults("<b style='border:1px solid;display:block;width:9px'>outside</b>"))
        .singleElement()
        .asString()
        .startsWith("outside its box: \"outside\"");
  }

  @Test
  void reportsVisibleHiddenElements() {
    assertThat(faults("<style>button{display:flex}</style><button hidden>Save changes</button>"))
        .anyMatch(fault -> fault.startsWith("hidden: body > button is hidden and takes"));
    assertThat(faults("<button hidden>Save changes</button>")).isEmpty();
  }

  @Test
  void reportsFaintText() {
    String text = "<p style='color:%s;opacity:%s'>Price</p>";
    assertThat(faults(text.formatted("#777777", "1")))
        .singleElement()
        .asString()
        .isEqualTo("faint: \"Price\" (body > p) has a contrast of 4.48, less than 4.5");
    assertThat(faults(text.formatted("#767676", "1"))).isEmpty();
    assertThat(faults(text.formatted("black", "0.5"))).hasSize(1);
    assertThat(faults(text.formatted("#777777;font-size:24px", "1"))).isEmpty();
    assertThat(faults("<button disabled style='color:#777777;height:24px'>Save changes</button>"))
        .isEmpty();
  }

  @Test
  void reportsSmallOrOffScreenTargets() {
    String button = "<button style='padding:0;width:60px;height:%dpx'>Save</button>";
    assertThat(faults(button.formatted(23))).singleElement().asString().startsWith("too small: ");
    assertThat(faults(button.formatted(24))).isEmpty();
    String wide =
        "<div style='overflow-x:%s'><div style='width:2000px;text-align:right'>far</div></div>";
    assertThat(faults(wide.formatted("visible")))
        .hasSize(2)
        .anyMatch(fault -> fault.startsWith("wide: "))
        .anyMatch(fault -> fault.startsWith("outside the screen: \"far\""));
    assertThat(faults(wide.formatted("auto"))).isEmpty();
    assertThat(faults("<p style='position:fixed;bottom:-60px'>below</p>"))
        .singleElement()
        .asString()
        .startsWith("outside the screen: \"below\"");
  }

  @Test
  void reportsANavigationThatHidesTheCurrentPage() {
    String pages =
        "<nav class='pages' style='display:flex;overflow-x:auto;width:%dpx'>"
            + "<a style='flex:none;width:90px;height:30px'>One</a>"
            + "<a style='flex:none;width:90px;height:30px' aria-current='page'>Two</a></nav>";
    assertThat(faults(pages.formatted(100)))
        .hasSize(2)
        .allSatisfy(fault -> assertThat(fault).startsWith("navigation: "));
    assertThat(faults(pages.formatted(180))).isEmpty();
  }

  private List<String> faults(String body) {
    page.setContent("<!doctype html><body style='font:14px/20px sans-serif'>" + body);
    return LayoutFacts.faults(page);
  }
}
