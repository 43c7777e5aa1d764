package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for every response of the console. */
class AnswersTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/sign-in",
        "/console",
        "/console/nothing",
        "/console/products",
        "/console/assets/x",
        "/console/link/x",
        "/console/products/x"
      })
  void everyResponseHasSecurityHeaders(String path) {
    HttpResponse<String> answer = Pages.stranger().get(path);

    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("same-origin");
    assertThat(answer.headers().firstValue("Cross-Origin-Opener-Policy")).hasValue("same-origin");
    assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(answer.headers().firstValue("Content-Type").orElse("text/html"))
        .startsWith("text/html");
  }

  @Test
  void assetsAreCachedForeverUnderTheirHash() {
    String page = Pages.stranger().get("/console/sign-in").body();
    Matcher address = Pattern.compile("(?:href|src)=\"(/console/assets/[^\"]+)\"").matcher(page);
    int files = 0;
    while (address.find()) {
      HttpResponse<String> plain = Pages.stranger().get(address.group(1));
      HttpResponse<String> zipped =
          Pages.stranger().with("Accept-Encoding", "gzip").get(address.group(1));

      assertThat(address.group(1)).matches(".*-[0-9a-f]{12}[.][a-z]+");
      assertThat(plain.statusCode()).isEqualTo(200);
      assertThat(plain.headers().firstValue("Cache-Control"))
          .hasValue("public, max-age=31536000, immutable");
      assertThat(zipped.headers().firstValue("Content-Encoding")).hasValue("gzip");
      files++;
    }
    assertThat(files).isGreaterThanOrEqualTo(4);
  }

  @Test
  void noPageHasInlineScriptsOrStyles() {
    Pages pages = Pages.of(TestPerson.of(TestMerchant.fresh()));

    for (String path : new String[] {"/console/sign-in", "/console/products", "/console/account"}) {
      assertThat(pages.get(path).body())
          .doesNotContain("<style", " style=", "onclick=", "hx-on")
          .doesNotContainPattern("<script(?![^>]* src=\"/console/assets/)");
    }
  }

  @Test
  void usesTheBrowsersLanguageOrTheChosenOne() {
    Pages pages = Pages.stranger().with("Accept-Language", "zh-CN,zh;q=0.9");
    assertThat(pages.get("/console/sign-in").body()).contains("lang=\"zh-CN\"", "登录");

    pages.post("/console/preferences", "language", "en", "next", "/console/sign-in");

    assertThat(pages.get("/console/sign-in").body()).contains("lang=\"en\"", "Sign in");
  }

  @Test
  void remembersTheThemeAndIgnoresUnknownOnes() {
    Pages pages = Pages.stranger();
    assertThat(pages.get("/console/sign-in").body()).contains("data-theme=\"auto\"");
    pages.post("/console/preferences", "theme", "dark");
    assertThat(pages.get("/console/sign-in").body()).contains("data-theme=\"dark\"");
    pages.post("/console/preferences", "theme", "\"><script>");
    assertThat(pages.get("/console/sign-in").body()).contains("data-theme=\"auto\"");
  }
}
