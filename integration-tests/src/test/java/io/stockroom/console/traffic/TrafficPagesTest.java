package io.stockroom.console.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class TrafficPagesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final Pages pages = Pages.of(TestPerson.of(merchant));

  @Test
  void showsTheNextStepWithoutCalls() {
    assertThat(page("/console/requests")).contains("No calls yet", "/console/explorer");
    assertThat(page("/console/usage"))
        .contains("No calls in the last hour", "Every fetched product has a publish result");
    assertThat(page("/console/requests?endpoint=/Usage")).contains("No calls match");
  }

  @Test
  void listsCallsNewestFirstAndPagesByKey() throws SQLException {
    TestServer.shared()
        .database()
        .write(
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(
                      """
                      insert into request_log (merchant_id, at, request_id, application_id, endpoint,
                        method, path, status, code, micros, address, headers, body_bytes, answer,
                        answer_bytes)
                      select ?, now(), 'call-' || n, 0, '/Usage', 'POST', '/Usage', 400,
                        'SIGN_FORMAT', 1, '127.0.0.1', '', 0, '', 0
                      from generate_series(1, 51) n
                      """)) {
                statement.setInt(1, merchant.id());
                return statement.executeUpdate();
              }
            });

    String first = page("/console/requests?outcome=rejected");
    Matcher older = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"").matcher(first);

    assertThat(older.find()).isTrue();
    assertThat(rows(first)).hasSize(50).startsWith("call-51").endsWith("call-2");
    assertThat(rows(page(older.group(1).replace("&amp;", "&")))).containsExactly("call-1");
    assertThat(page("/console/requests?outcome=SIGN_FORMAT"))
        .contains(">SIGN_FORMAT</option>", "call-51");
    assertThat(rows(page("/console/requests?outcome=PAGE"))).isEmpty();
  }

  @Test
  void showsHowManyCallsWereNotLogged() {
    for (int i = 0; i < 60; i++) {
      api.products("page=" + (i % 2 == 0 ? "1" : "2"));
    }
    Logged.awaitCalls(merchant, 60);

    assertThat(page("/console/requests"))
        .contains("of 60 calls in the last 24 hours were not recorded");
  }

  @Test
  void showsOneCallFormattedRedactedAndAsCurl() throws Exception {
    int pid = merchant.product();
    Reply reply = api.create(Stock.one(pid, "<b>it's red", "36", 5));
    Logged.await(merchant, reply);

    String page = page("/console/requests/" + Logged.id(reply));

    assertThat(page)
        .contains(
            "&quot;color&quot; : &quot;&lt;b&gt;it&#39;s red&quot;", "&quot;success&quot; : true")
        .contains("/console/explorer?request=" + Logged.id(reply))
        .doesNotContain("<b>it", api.accesstoken(), api.secret());
    Matcher curl = Pattern.compile("id=\"curl\"[^>]*>([^<]*)<").matcher(page);
    assertThat(curl.find()).isTrue();
    String lines = unescaped(curl.group(1));
    assertThat(lines).contains("$STOCKROOM_SECRET", "-H 'appid: " + api.appid() + "'");
    assertThat(run(lines)).isEqualTo("{\"success\":true,\"msg\":\"\"}");
  }

  @Test
  void theCurlScriptWorksWithHmac() throws Exception {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
      out.write("page=1".getBytes(StandardCharsets.UTF_8));
    }
    String time = Long.toString(api.nextTimestamp());
    String nonce = "0123456789abcdef";
    String key = "order-1";
    String text =
        Signature.signedText(
            "POST", "/Stock/Product", time, api.accesstoken(), gzip.toByteArray(), nonce, key);
    Reply reply =
        api.call("/Stock/Product")
            .body("application/x-www-form-urlencoded", gzip.toByteArray())
            .at(time)
            .header("Content-Encoding", "gzip")
            .header("sign-method", "hmac-sha256")
            .header("sign-nonce", nonce)
            .header("Idempotency-Key", key)
            .header("sign", Signature.hmac(api.secret(), text))
            .send();
    assertThat(reply.status()).isEqualTo(200);
    Logged.await(merchant, reply);

    String page = page("/console/requests/" + Logged.id(reply));
    Matcher curl = Pattern.compile("id=\"curl\"[^>]*>([^<]*)<").matcher(page);

    assertThat(curl.find()).isTrue();
    assertThat(run(unescaped(curl.group(1)))).startsWith("{\"success\":true,\"totalPages\"");
  }

  @Test
  void hidesOtherMerchantsCalls() {
    Reply reply = api.products("page=1");
    Logged.await(merchant, reply);
    Pages other = Pages.of(TestPerson.of(TestMerchant.fresh()));

    assertThat(other.get("/console/requests/" + Logged.id(reply)).statusCode()).isEqualTo(404);
    assertThat(other.get("/console/requests?merchant=" + merchant.id()).body())
        .doesNotContain(Logged.id(reply));
    assertThat(other.get("/console/health").statusCode()).isEqualTo(404);
  }

  @Test
  void showsAnOperatorAllCallsByMerchant() {
    Reply reply = api.products("page=1");
    Reply nobodys = api.withToken("srt_nobodys").products("page=1");
    Logged.await(merchant, reply);
    Logged.await(merchant, nobodys);
    Pages operator = Pages.of(TestPerson.operator());

    assertThat(operator.get("/console/requests?merchant=" + merchant.id()).body())
        .contains(Logged.id(reply))
        .doesNotContain(Logged.id(nobodys));
    assertThat(operator.get("/console/requests?request=" + Logged.id(nobodys)).body())
        .contains("/console/requests/" + Logged.id(nobodys), "CREDENTIALS_WRONG");
    assertThat(operator.get("/console/requests/" + Logged.id(nobodys)).statusCode()).isEqualTo(200);
    assertThat(operator.get("/console/usage").statusCode()).isEqualTo(404);
  }

  @Test
  void refreshesOnlyTheListInLiveMode() {
    String page = page("/console/requests?live=true");
    assertThat(page).contains("hx-trigger=\"every 2s\"", "aria-pressed=\"true\"");
    assertThat(page("/console/requests")).doesNotContain("hx-trigger=\"every 2s\"");

    Pages script = Pages.of(TestPerson.of(merchant)).with("HX-Request", "true");
    assertThat(script.get("/console/requests?live=true").body())
        .startsWith("<div id=\"list\"")
        .contains("hx-trigger=\"every 2s\"");
  }

  @Test
  void showsTheSameUsageAsTheInterface() {
    Nodes.setLimits(merchant, "\"limits.detail-per-day\":\"2\"");
    List<Integer> pids = merchant.products(2);
    String before = page("/console/usage");
    assertThat(before).contains("2 left", "0 of 2 used today.", "✓ Available");

    api.detail(pids.get(0));
    api.detail(pids.get(1));

    String after = page("/console/usage");
    assertThat(after)
        .contains(
            "0 left",
            "2 of 2 used today.",
            "✕ Limit reached",
            "Product details are rejected until the reset");
    String resetsAt = api.call("/Usage").send().json().at("/data/limits/0/resetsAt").asString();
    assertThat(after).contains("datetime=\"" + resetsAt + "\"");
  }

  @Test
  void reportsTickedProductsAsAnApplicationWould() {
    List<Integer> pids = merchant.products(3);
    pids.forEach(api::detail);
    String page = page("/console/usage");
    assertThat(page).contains("3 products", "value=\"" + pids.getFirst() + "\"");

    HttpResponse<String> reported =
        pages.post(
            "/console/usage/report",
            "result",
            "published",
            "product",
            pids.get(0).toString(),
            "product",
            pids.get(1).toString(),
            "product",
            "2000000000");
    String back = reported.headers().firstValue("Location").orElse("");

    assertThat(reported.statusCode()).isEqualTo(302);
    assertThat(page(back)).contains("2 results reported.", "1 product<");
    assertThat(api.call("/Usage").send().json().at("/data/unpublished/total").asInt()).isEqualTo(1);
    assertThat(
            Admin.of(api.server()).get("/admin/audit?merchant=" + merchant.id()).json().toString())
        .contains("publish.report");
  }

  @Test
  void rejectsUnknownPublishResults() {
    int pid = merchant.product();
    api.detail(pid);

    assertThat(
            pages.post("/console/usage/report", "result", "lost", "product", "" + pid).statusCode())
        .isEqualTo(422);
    assertThat(
            page(
                pages
                    .post("/console/usage/report", "result", "failed")
                    .headers()
                    .firstValue("Location")
                    .orElse("")))
        .contains("nothing was reported");
  }

  @Test
  void drawsCallsErrorsAndTimesWithTheirTables() {
    api.products("page=1");
    api.products("page=x");
    Logged.awaitCalls(merchant, 2);

    for (String period : List.of("hour", "day", "week")) {
      assertThat(page("/console/usage?period=" + period))
          .contains("<svg class=\"drawing\"", "Show as table", "1 rejected", "NUMBER_FORMAT");
    }
  }

  @Test
  void showsTheNodesAndTheDatabaseToAnOperator() {
    String page = Pages.of(TestPerson.operator()).get("/console/health").body();

    assertThat(page)
        .contains(
            "✓ Responding",
            "✓ Online",
            "process " + ProcessHandle.current().pid(),
            "Connections in use");
  }

  private String page(String path) {
    HttpResponse<String> response = pages.get(path);
    assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
    return response.body();
  }

  private static List<String> rows(String page) {
    return Pattern.compile("href=\"/console/requests/([^\"?]+)\"")
        .matcher(page)
        .results()
        .map(row -> row.group(1))
        .toList();
  }

  private static String unescaped(String html) {
    return html.replace("&#39;", "'")
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }

  private String run(String lines) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", lines);
    builder.environment().put("STOCKROOM_SECRET", api.secret());
    builder.environment().put("STOCKROOM_TOKEN", api.accesstoken());
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.strip();
  }
}
