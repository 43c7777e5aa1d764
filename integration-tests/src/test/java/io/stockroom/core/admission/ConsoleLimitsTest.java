package io.stockroom.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nobody can block the console for everybody. */
class ConsoleLimitsTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final String PAGE = "/console/products";
  private static final String NEAR = "203.0.113.7";
  private static final String FAR = "203.0.113.8";

  private final TestServer server =
      TestServer.with(
          Map.of(
              "limits.create-interval",
              "PT0S",
              "load.max-wait",
              "PT0.05S",
              "trusted-proxies",
              "127.0.0.1"));
  private final TestMerchant merchant = TestMerchant.on(server);
  private final TestPerson busy = TestPerson.of(merchant);
  private final TestPerson colleague = TestPerson.of(merchant);
  private final TestPerson other = TestPerson.of(TestMerchant.on(server));
  private final List<Permit> taken = new ArrayList<>();

  @AfterEach
  void release() {
    taken.forEach(Permit::close);
  }

  @Test
  void onePersonLeavesHalfOfThePagesToOthers() {
    take(CallKind.PAGE, half(CallKind.PAGE) - 1, person(busy), merchant());
    assertThat(status(busy, PAGE)).isEqualTo(200);

    take(CallKind.PAGE, 1, person(busy), merchant());
    HttpResponse<String> rejected = pages(busy).get(PAGE);
    assertThat(rejected.statusCode()).isEqualTo(503);
    assertThat(rejected.headers().firstValue("Retry-After")).contains("2");
    assertThat(rejected.body()).contains("The server is busy");
    assertThat(status(colleague, PAGE)).isEqualTo(200);
    assertThat(status(other, PAGE)).isEqualTo(200);
  }

  @Test
  void oneMerchantLeavesAQuarterOfThePagesToOthers() {
    int all = Math.ceilDiv(limit(CallKind.PAGE).max() * 3, 4);
    take(CallKind.PAGE, half(CallKind.PAGE), person(busy), merchant());
    take(CallKind.PAGE, all - half(CallKind.PAGE) - 1, "another person", merchant());
    assertThat(status(colleague, PAGE)).isEqualTo(200);

    take(CallKind.PAGE, 1, "another person", merchant());
    assertThat(status(colleague, PAGE)).isEqualTo(503);
    assertThat(status(other, PAGE)).isEqualTo(200);
    assertThat(status(TestPerson.operator(server), "/console/merchants")).isEqualTo(200);
  }

  @Test
  void oneAddressLeavesHalfOfThePagesAndSignInsToOthers() {
    take(CallKind.PAGE, half(CallKind.PAGE), NEAR, "");
    assertThat(stranger(NEAR).get("/console/sign-in").statusCode()).isEqualTo(503);
    assertThat(stranger(FAR).get("/console/sign-in").statusCode()).isEqualTo(200);
    assertThat(pages(busy).with("X-Forwarded-For", NEAR).get(PAGE).statusCode()).isEqualTo(200);

    take(CallKind.SIGN_IN, half(CallKind.SIGN_IN), NEAR, "");
    assertThat(signIn(NEAR)).isEqualTo(503);
    assertThat(signIn(FAR)).isEqualTo(401);
  }

  @Test
  void oneAddressLeavesHalfOfTheSessionLookupsToOthers() {
    take(CallKind.SESSION, half(CallKind.SESSION), NEAR, "");

    assertThat(pages(busy).with("X-Forwarded-For", NEAR).get(PAGE).statusCode()).isEqualTo(503);
    assertThat(pages(busy).with("X-Forwarded-For", FAR).get(PAGE).statusCode()).isEqualTo(200);
  }

  @Test
  void slowWorkOfOnePersonBlocksNeitherPagesNorOthers() {
    for (CallKind kind :
        List.of(CallKind.SEND, CallKind.UPLOAD, CallKind.DOWNLOAD, CallKind.SIGN_IN)) {
      take(kind, half(kind), person(busy), merchant());
    }

    assertThat(send(busy, "").statusCode()).isEqualTo(503);
    assertThat(send(colleague, "").statusCode()).isEqualTo(200);
    assertThat(test(busy)).isEqualTo(503);
    assertThat(test(colleague)).as("there is no such webhook").isEqualTo(404);
    assertThat(upload(busy)).isEqualTo(503);
    assertThat(upload(colleague)).isEqualTo(201);
    assertThat(status(busy, "/console/export?format=csv")).isEqualTo(503);
    assertThat(status(colleague, "/console/export?format=csv")).isEqualTo(200);
    assertThat(pages(busy).post("/console/account").statusCode()).isEqualTo(503);
    assertThat(pages(colleague).post("/console/account").statusCode()).isEqualTo(422);
    assertThat(status(busy, PAGE)).isEqualTo(200);
  }

  @Test
  void aCallThatWaitsInTheExplorerHoldsNoPage() throws Exception {
    int pid = merchant.product();
    String cursor = Feed.latest(merchant.api());
    try (ExecutorService people = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<HttpResponse<String>> waiting =
          people.submit(() -> send(busy, "after=%s&wait=5".formatted(cursor)));
      assertThat(
              Eventually.within(
                  SOON,
                  () ->
                      limit(CallKind.SEND).active() == 1
                          && limit(CallKind.PAGE).active() == 0
                          && server.waiting() == 1))
          .isTrue();

      merchant.api().create(Stock.one(pid, "red", "36", 1));

      assertThat(waiting.get().statusCode()).isEqualTo(200);
    }
    assertThat(Eventually.within(SOON, () -> limit(CallKind.SEND).active() == 0)).isTrue();
  }

  private ConcurrencyLimit limit(CallKind kind) {
    return server.limits().of(kind);
  }

  private int half(CallKind kind) {
    return Math.ceilDiv(limit(kind).max(), 2);
  }

  private void take(CallKind kind, int count, String owner, String group) {
    for (int i = 0; i < count; i++) {
      taken.add(Objects.requireNonNull(limit(kind).acquire(owner, group)));
    }
  }

  private static String person(TestPerson person) {
    return "person " + person.id();
  }

  private String merchant() {
    return "merchant " + merchant.id();
  }

  private static Pages pages(TestPerson person) {
    return Pages.of(person);
  }

  private static int status(TestPerson person, String path) {
    return pages(person).get(path).statusCode();
  }

  private Pages stranger(String address) {
    return Pages.on(server).with("X-Forwarded-For", address);
  }

  private int signIn(String address) {
    return stranger(address)
        .post("/console/sign-in", "email", "nobody@example.com", "password", "wrong words")
        .statusCode();
  }

  private HttpResponse<String> send(TestPerson person, String body) {
    return pages(person)
        .post(
            "/console/explorer/send",
            "path",
            "/Changes",
            "app",
            merchant.api().appid(),
            "body",
            body);
  }

  private static int test(TestPerson person) {
    return pages(person).post("/console/webhooks/wh_none/test").statusCode();
  }

  private static int upload(TestPerson person) {
    return pages(person)
        .upload("/console/imports?name=a.csv", "artNo,title,price\nA1,Shoe,59\n".getBytes())
        .statusCode();
  }
}
