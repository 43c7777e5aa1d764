package io.stockroom.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocsServletTest {
  @ParameterizedTest
  @CsvSource({
    "/docs/, text/html;charset=utf-8, <h1",
    "/docs/operators/settings.html, text/html;charset=utf-8, drain-time",
    "/docs/site.css, text/css;charset=utf-8, prefers-color-scheme",
    "/docs/search-index.js, text/javascript;charset=utf-8, window.stockroomIndex",
    "/docs/api, text/html;charset=utf-8, viewer.js"
  })
  void servesTheSiteWithoutExternalContent(String path, String type, String content) {
    Reply reply = Http.send(request("GET", path));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type").map(t -> t.replace(" ", ""))).hasValue(type);
    assertThat(reply.header("content-security-policy").orElse(""))
        .contains("default-src 'none'")
        .doesNotContain("unsafe", "http");
    assertThat(reply.body()).contains(content);
  }

  @Test
  void redirectsTheFolderToItsFirstPage() {
    Reply reply = Http.send(request("GET", "/docs"));

    assertThat(reply.status()).isEqualTo(302);
    assertThat(reply.header("location")).hasValue("/docs/");
    assertThat(
            Http.send(request("GET", "/docs").header("Accept-Language", "zh-CN"))
                .header("location"))
        .hasValue("/docs/zh/");
    assertThat(
            Http.send(request("GET", "/docs").header("Cookie", "stockroom-language=zh"))
                .header("location"))
        .hasValue("/docs/zh/");
    assertThat(
            Http.send(
                    request("GET", "/docs")
                        .header("Accept-Language", "zh-CN")
                        .header("Cookie", "stockroom-language=en"))
                .header("location"))
        .hasValue("/docs/");
  }

  @Test
  void showsANotFoundPage() {
    Reply reply = Http.send(request("GET", "/docs/deep/er/nothing.html"));

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.body())
        .contains("Page not found", "href=\"/docs/index.html\"", "href=\"/docs/site.css\"")
        .doesNotContain("nothing.html");
    assertThat(Http.send(request("GET", "/docs/..%2fpage.html")).status()).isNotEqualTo(200);
  }

  @Test
  void respondsNotModifiedAndRejectsOtherMethods() {
    String tag = Http.send(request("GET", "/docs/api.html")).header("etag").orElseThrow();

    assertThat(Http.send(request("GET", "/docs/api.html").header("If-None-Match", tag)).status())
        .isEqualTo(304);
    assertThat(Http.send(request("POST", "/docs/api.html")).codes())
        .containsExactly("METHOD_NOT_ALLOWED");
  }

  private static HttpRequest.Builder request(String method, String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + TestServer.shared().port() + path))
        .method(method, BodyPublishers.noBody());
  }
}
