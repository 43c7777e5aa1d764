package io.stockroom.server.apidocs;

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

class ApiDocsServletTest {
  @ParameterizedTest
  @CsvSource({
    "/openapi.json, application/json;charset=utf-8, /Stock/List",
    "/docs/api/operator.json, application/json;charset=utf-8, /admin/merchants",
    "/docs/api, text/html;charset=utf-8, api/viewer.js",
    "/docs/api/viewer.js, text/javascript;charset=utf-8, openapi.json",
    "/docs/api/viewer.css, text/css;charset=utf-8, prefers-color-scheme"
  })
  void servesTheDocumentWithoutExternalContent(String path, String type, String content) {
    Reply reply = Http.send(request("GET", path));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type").map(t -> t.replace(" ", ""))).hasValue(type);
    assertThat(reply.header("content-security-policy").orElse(""))
        .contains("default-src 'none'")
        .doesNotContain("unsafe", "http");
    assertThat(reply.header("x-content-type-options")).hasValue("nosniff");
    assertThat(reply.body()).contains(content).doesNotContain("https://cdn");
  }

  @Test
  void thePageCompliesWithItsContentSecurityPolicy() {
    String page = Http.send(request("GET", "/docs/api")).body();

    assertThat(page)
        .doesNotContainPattern("<script(?![^>]* src=)")
        .doesNotContainPattern("\\son[a-z]+=")
        .doesNotContain("<style", " style=", "//");
  }

  @Test
  void respondsNotModified() {
    String tag = Http.send(request("GET", "/openapi.json")).header("etag").orElseThrow();

    Reply reply = Http.send(request("GET", "/openapi.json").header("If-None-Match", tag));

    assertThat(reply.status()).isEqualTo(304);
    assertThat(reply.body()).isEmpty();
    assertThat(Http.send(request("HEAD", "/openapi.json")).status()).isEqualTo(200);
  }

  @Test
  void errorsHaveTheUsualFormat() {
    assertThat(Http.send(request("GET", "/docs/api/other.js")).codes())
        .containsExactly("NOT_FOUND");
    Reply reply = Http.send(request("POST", "/openapi.json"));
    assertThat(reply.codes()).containsExactly("METHOD_NOT_ALLOWED");
    assertThat(reply.header("allow")).hasValue("GET, HEAD");
  }

  private static HttpRequest.Builder request(String method, String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + TestServer.shared().port() + path))
        .method(method, BodyPublishers.noBody());
  }
}
