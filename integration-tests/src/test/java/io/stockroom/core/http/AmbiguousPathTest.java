package io.stockroom.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both ports reject a path that a proxy and this server could interpret differently, by its raw
 * bytes. The requests carry the operator's key, so that only the path can be the reason.
 */
class AmbiguousPathTest {
  private static final TestServer SERVER = TestServer.shared();

  @ParameterizedTest
  @ValueSource(
      strings = {
        // path parameters, which servers drop and most proxies do not
        "/console/..;/admin/merchants",
        "/console/%2e%2e;/admin/merchants",
        "/console/%2E%2E;x=y/admin/merchants",
        "/Stock/..;/console/sign-in",
        "/docs;/../admin/merchants",
        "/admin;/merchants",
        "/admin/merchants;",
        "/;",
        // dot segments, in every spelling
        "/console/../admin/merchants",
        "/console/%2e%2e/admin/merchants",
        "/console/.%2E/admin/merchants",
        "/console/%2e./admin/merchants",
        "/./admin/merchants",
        "/%2e/admin/merchants",
        "/admin/merchants/.",
        "/admin/merchants/..",
        "/..",
        // encoded slashes
        "/console%2f..%2fadmin/merchants",
        "/admin%2Fmerchants",
        "/console/..%5cadmin/merchants",
        "/console\\..\\admin\\merchants",
        "/console%5C",
        // empty segments
        "//admin/merchants",
        "/admin//merchants",
        "/admin/merchants//",
        "http://localhost//admin/merchants",
        "http://localhost/console/..;/admin/merchants"
      })
  void rejectsAnAmbiguousPath(String target) {
    for (int port : new int[] {SERVER.port(), SERVER.adminPort()}) {
      Reply reply = get(port, target);

      assertThat(reply.status()).as("%s on %d", target, port).isEqualTo(400);
      assertThat(reply.codes()).containsExactly("HTTP_BROKEN");
      assertThat(reply.body()).doesNotContain("merchantId");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin/merchants",
        "/admin/merchants/",
        "/admin/%6derchants",
        "/admin/merchants?next=/../;//%2e%2e%5c",
        "http://localhost/admin/merchants"
      })
  void acceptsAnUnambiguousPath(String target) {
    assertThat(get(SERVER.adminPort(), target).status()).as(target).isEqualTo(200);
    assertThat(get(SERVER.port(), target).status()).as(target).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/console/sign-in", "/console/sign%2Din", "/docs/README.md"})
  void acceptsDotsWithinAName(String target) {
    assertThat(get(SERVER.port(), target).status()).as(target).isIn(200, 404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/...", "/a..b", "/.well-known", "/a.", "/%2e%2e%2e", "/a%2eb"})
  void acceptsOtherDots(String target) {
    assertThat(get(SERVER.port(), target).status()).as(target).isEqualTo(404);
    assertThat(get(SERVER.adminPort(), target).codes()).as(target).containsExactly("NOT_FOUND");
  }

  private static Reply get(int port, String target) {
    return Http.rawReply(
        port,
        "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
            .formatted(target, SERVER.operatorKey()));
  }
}
