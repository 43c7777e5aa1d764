package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestImports;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Hostile text (HTML, scripts, control characters) stays text on every page that shows user input.
 */
class HostileTextTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  /** Selects elements that only injected markup could have created. */
  private static final String PLANTED =
      "() => document.querySelectorAll('hostile-mark, main script:not([src]), main iframe').length";

  private static final String WIDER_THAN_THE_SCREEN =
      "() => document.documentElement.scrollWidth > document.documentElement.clientWidth";

  private static final String SHOWN =
      """
      () => document.body.innerText + [...document.querySelectorAll("input, select")]
        .map((field) => field.value).join(" ")
      """;

  private final TestServer server = TestServer.shared();

  static Stream<String> texts() {
    return Stream.of(
        "\"'></script><hostile-mark/><img src=x onerror=alert(1)>{{7*7}}${7*7}[[${7*7}]]#{x}__${1}__",
        "<hostile-mark>\u202Eabc \u05D0\u05D1 \u0639\u0631 \uD83D\uDC69\u200D\uD83D\uDC67 a"
            + "\u0301".repeat(9)
            + "W".repeat(40));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textStaysTextOnEveryPage(String text) {
    int merchant = merchant(text);
    TestImports imports = new TestImports(server, merchant);
    int product = product(imports, merchant, text);
    TestPerson person = TestPerson.with("\"merchantId\":" + merchant);
    String strange = text.replaceAll("[\\s/@]", "") + System.nanoTime() + "@x";
    int stranger = person(merchant, strange);
    String file = "artNo,title,price,%1$s\n%1$s,%1$s,%1$s,%1$s\n".formatted(cell(text));
    int planned = imports.plan(text + ".csv", file).json().get("importId").asInt();
    int failed = imports.plan("b.csv", cell(text) + ",x\n1,2\n").json().get("importId").asInt();
    String wizard = "/console/imports/%d/".formatted(merchant);

    List<String> own =
        List.of(
            "/console/products",
            "/console/products?q=" + URLEncoder.encode(text, StandardCharsets.UTF_8),
            "/console/products/" + product,
            "/console/products/" + product + "/stock",
            "/console/imports",
            wizard + planned,
            wizard + failed);
    List<String> operators =
        List.of(
            "/console/merchants?q=" + merchant,
            "/console/merchants/" + merchant,
            "/console/people?merchant=" + merchant,
            "/console/people/" + stranger,
            "/console/imports?merchant=" + merchant,
            wizard + planned,
            "/console/limits",
            "/console/audit?merchant=" + merchant,
            "/console/audit?actor=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
    visit(ConsoleBrowser.of(person), own, text);
    visit(ConsoleBrowser.of(TestPerson.operator()).phone(), operators, text);
  }

  private static void visit(ConsoleBrowser browser, List<String> paths, String text) {
    // white space may collapse, and a text may be truncated
    String beginning = text.substring(0, 12);
    List<String> faults = new ArrayList<>();
    try (browser) {
      for (String path : paths) {
        Page page = browser.visit(path);
        if (!page.evaluate(PLANTED).equals(0)) {
          faults.add(path + " has an element in place of a text");
        }
        if (page.evaluate(WIDER_THAN_THE_SCREEN).equals(true)) {
          faults.add(path + " is wider than the screen");
        }
        if (!path.endsWith("/limits") && !((String) page.evaluate(SHOWN)).contains(beginning)) {
          faults.add(path + " does not show the text");
        }
      }
      faults.addAll(browser.complaints());
    }
    assertThat(faults).isEmpty();
  }

  private int merchant(String text) {
    ObjectNode body =
        MAPPER.createObjectNode().put("name", text).put("storeUrl", text).put("storeName", text);
    return made(Admin.of(server).post("/admin/merchants", body.toString()), "merchantId");
  }

  private int product(TestImports imports, int merchant, String text) {
    ObjectNode line =
        MAPPER
            .createObjectNode()
            .put("artNo", visible(text))
            .put("title", text)
            .put("price", 1)
            .put("description", "<p>" + text + "</p>" + text);
    line.putArray("imgs").add("https://pictures.example/1.jpg");
    line.putArray("attributes").addObject().put("name", clipped(text)).put("value", text);
    ObjectNode sku = line.putArray("skus").addObject().put("color", visible(text));
    sku.putArray("sizes")
        .addObject()
        .put("size", 36)
        .put("quantity", 5)
        .put("barCode", visible(text));
    Reply applied = imports.apply("a.jsonl", line.toString());
    assertThat(applied.json().get("created").asInt()).as(applied.whole()).isEqualTo(1);
    String list =
        Pages.of(TestPerson.with("\"merchantId\":" + merchant)).get("/console/products").body();
    return Integer.parseInt(list.replaceAll("(?s).*href=\"/console/products/([0-9]+)\".*", "$1"));
  }

  private int person(int merchant, String email) {
    ObjectNode body = MAPPER.createObjectNode().put("email", email).put("merchantId", merchant);
    Reply added = Admin.of(server).post("/admin/people", body.toString());
    assertThat(added.status()).as(added.whole()).isEqualTo(201);
    String list =
        Pages.of(TestPerson.operator())
            .get("/console/people?merchant=" + merchant + "&q=@x")
            .body();
    return Integer.parseInt(list.replaceAll("(?s).*href=\"/console/people/([0-9]+)\".*", "$1"));
  }

  private static int made(Reply reply, String id) {
    assertThat(reply.status()).as(reply.whole()).isEqualTo(201);
    return reply.json().get(id).asInt();
  }

  /** Item numbers, colors and barcodes permit no invisible characters. */
  private static String visible(String text) {
    return clipped(text.replaceAll("\\p{Cf}", ""));
  }

  private static String clipped(String text) {
    return text.substring(
        0, text.offsetByCodePoints(0, Math.min(60, text.codePointCount(0, text.length()))));
  }

  private static String cell(String text) {
    return "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
