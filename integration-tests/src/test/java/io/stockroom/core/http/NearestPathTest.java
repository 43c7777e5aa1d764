package io.stockroom.core.http;

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
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to unknown paths. */
class NearestPathTest {
  @ParameterizedTest
  @CsvSource({
    "/Stock/Create, /Stock/Creat",
    "/stock/CREATE, /Stock/Creat",
    "/Stock/Lists, /Stock/List",
    "/Stock/Product/, /Stock/Product",
    "/Product/Details, /Product/Detail",
    "/Stok/Creates, /Stock/Creat",
    "/Usages, /Usage",
  })
  void namesTheNearestPath(String path, String nearest) {
    Reply reply = send("POST", path, "application/json");

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.codes()).containsExactly("NOT_FOUND");
    assertThat(reply.msg()).contains(path + ". Did you mean POST " + nearest + "?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/Stock/Creations", "/api/Stock/Creat", "/User", "/robots.txt", "/x"})
  void suggestsNothingForADistantPath(String path) {
    Reply reply = send("POST", path, "application/json");

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.msg()).doesNotContain("Did you mean");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/Stock/Removed",
        "/Webhook/Updates",
        "/Product/Archived",
        "/Webhook/Deletes",
        "/Webhook/Enabled",
        "/Stock/Import/Undone",
        "/Stock/Import/Cancle"
      })
  void suggestsNoCallThatDeletesOrChangesSomething(String path) {
    assertThat(send("POST", path, "application/json").msg()).doesNotContain("Did you mean");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void redirectsABrowserToTheConsole(String method) {
    Reply reply = send(method, "/", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");

    assertThat(reply.status()).isEqualTo(302);
    assertThat(reply.header("location")).contains("/console");
    assertThat(reply.header("vary")).contains("Accept");
  }

  @Test
  void respondsToProgramsAtTheRootWith404() {
    assertThat(send("GET", "/", "*/*").codes()).containsExactly("NOT_FOUND");
    assertThat(send("GET", "/", "application/json").codes()).containsExactly("NOT_FOUND");
    assertThat(send("POST", "/", "text/html").codes()).containsExactly("NOT_FOUND");
    assertThat(send("GET", "/Stock/Lists", "text/html").codes()).containsExactly("NOT_FOUND");
  }

  private static Reply send(String method, String path, String accept) {
    URI uri = URI.create("http://127.0.0.1:" + TestServer.shared().port() + path);
    return Http.send(
        HttpRequest.newBuilder(uri)
            .method(method, BodyPublishers.noBody())
            .header("Accept", accept));
  }
}
