package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.client.AuthenticationException;
import io.stockroom.client.CreateBatch;
import io.stockroom.client.CreateReport;
import io.stockroom.client.Credentials;
import io.stockroom.client.FetchedDetail;
import io.stockroom.client.IncompleteCreateException;
import io.stockroom.client.InvalidRequestException;
import io.stockroom.client.LimitReachedException;
import io.stockroom.client.NoAnswerException;
import io.stockroom.client.NotFoundException;
import io.stockroom.client.ProductSummary;
import io.stockroom.client.PublishReport;
import io.stockroom.client.PublishResult;
import io.stockroom.client.Quota;
import io.stockroom.client.SignatureMethod;
import io.stockroom.client.StockEntry;
import io.stockroom.client.StockFilter;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.Usage;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.SizeItem;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The SDK against a real server. */
class SdkTest {
  private final StockroomServer server = SharedServer.get();

  private static ColorGroup group(String color, int pid, String sizes, int stock) {
    return new ColorGroup(color, pid, List.of(SizeItem.of(sizes, stock)));
  }

  @Test
  void listsProductsOfAllPagesAndByStock() {
    TestMerchant merchant = server.merchant("Lists");
    List<Integer> ids = merchant.addProducts(5);
    merchant.addStock(ids.get(3), "red", "36", 0);
    try (StockroomClient client = merchant.client()) {
      assertThat(client.products().map(ProductSummary::id).toList()).isEqualTo(ids);
      assertThat(client.products(StockFilter.WITH_STOCK).map(ProductSummary::id))
          .containsExactly(ids.get(3));
      assertThat(client.products(StockFilter.WITHOUT_STOCK).map(ProductSummary::id))
          .containsExactly(ids.get(0), ids.get(1), ids.get(2), ids.get(4));
      assertThat(client.productPage(3, StockFilter.ALL).totalPages()).isEqualTo(3);
      assertThat(client.productPage(4, StockFilter.ALL).products()).isEmpty();
    }
  }

  @Test
  void createsStockAndReadsItBack() {
    TestMerchant merchant = server.merchant("Creates");
    int pid = merchant.addProduct("A1", "Canvas shoe", new BigDecimal("59.5"));
    try (StockroomClient client = merchant.client()) {
      assertThat(client.stock(pid)).isEmpty();
      CreateReport report =
          client.createStock(
              List.of(
                  new ColorGroup(
                      "黑色", pid, List.of(SizeItem.of("38-39", 7), SizeItem.of("40", 1, "69")))));
      assertThat(report.batches().getFirst().requestId()).hasSize(16);
      assertThat(client.stock(pid))
          .extracting(
              StockEntry::color,
              entry -> entry.size().value(),
              StockEntry::stock,
              StockEntry::barCode)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("黑色", 38, 7, null),
              org.assertj.core.groups.Tuple.tuple("黑色", 39, 7, null),
              org.assertj.core.groups.Tuple.tuple("黑色", 40, 1, "69"));
    }
  }

  @Test
  void fetchesADetailReportsItAndReadsTheUsage() {
    TestMerchant merchant = server.merchant("Details");
    int pid = merchant.addProduct("A1", "Canvas shoe", new BigDecimal("59.5"));
    merchant.addStock(pid, "red", "36-37", 4);
    try (StockroomClient client = merchant.client()) {
      FetchedDetail fetched = client.detail(pid);
      assertThat(fetched.product().title()).isEqualTo("Canvas shoe");
      assertThat(fetched.product().price()).isEqualTo(new BigDecimal("59.50"));
      assertThat(fetched.product().outerId()).endsWith("/A1/59.50");
      assertThat(fetched.product().skus().getFirst().sizes()).hasSize(2);
      assertThat(fetched.quota("detail-per-day").map(Quota::remaining)).contains(299L);
      assertThat(client.unpublished().map(Usage.Unpublished::pid)).containsExactly(pid);

      PublishReport report =
          client.publish(
              List.of(
                  PublishResult.published(pid, "https://shop.example/1"),
                  PublishResult.failed(pid + 1, "no such thing")));
      assertThat(report.accepted()).isEqualTo(1);
      assertThat(report.problems())
          .extracting(fault -> fault.at() + " " + fault.code())
          .containsExactly("[1].pid PRODUCT_MISSING");
      assertThat(client.unpublished()).isEmpty();
      assertThat(client.usage().limit("detail-per-day").orElseThrow().used()).isEqualTo(1);
    }
  }

  @Test
  void reportsAReachedLimit() {
    TestMerchant merchant = server.merchant("Limits");
    merchant.setLimit("limits.detail-per-day", "1");
    int pid = merchant.addProduct();
    try (StockroomClient client = merchant.client()) {
      assertThat(client.detail(pid).quota("detail-per-day").map(Quota::remaining)).contains(0L);
      LimitReachedException reached =
          catchThrowableOfType(LimitReachedException.class, () -> client.detail(pid));
      assertThat(reached.code()).contains("DETAIL_PER_DAY");
      assertThat(reached.retryAfter()).isPresent();
      assertThat(reached.quotas()).extracting(Quota::remaining).contains(0L);
    }
  }

  @Test
  void reportsAMissingProduct() {
    TestMerchant merchant = server.merchant("Missing");
    try (StockroomClient client = merchant.client()) {
      assertThatThrownBy(() -> client.stock(4)).isInstanceOf(NotFoundException.class);
      assertThatThrownBy(() -> client.detail(4)).isInstanceOf(NotFoundException.class);
      IncompleteCreateException incomplete =
          catchThrowableOfType(
              IncompleteCreateException.class,
              () -> client.createStock(List.of(group("red", 4, "36", 1))));
      assertThat(incomplete.report().failed().getFirst().failure())
          .isInstanceOf(NotFoundException.class);
    }
  }

  @Test
  void keepsTheRateLimitOfTheServer() {
    TestMerchant merchant = server.merchant("Paced");
    merchant.setLimit("limits.create-interval", "PT1S");
    int pid = merchant.addProduct();
    long start = System.nanoTime();
    // without a budget, a request that is too early fails
    try (StockroomClient client = merchant.clientBuilder().rateLimitBudget(Duration.ZERO).build()) {
      CreateReport report =
          client.createStock(
              IntStream.range(0, 601).mapToObj(i -> group("color " + i, pid, "36", i)));
      assertThat(report.batches()).extracting(CreateBatch::groups).containsExactly(300, 300, 1);
      assertThat(client.stock(pid)).hasSize(601);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(2));
  }

  @Test
  void recoversALostResponseWithoutCreatingTwice() throws IOException {
    TestMerchant merchant = server.merchant("Lost");
    int pid = merchant.addProduct();
    merchant.setLimit("limits.create-interval", "PT60S");
    try (CuttingProxy proxy = new CuttingProxy(server.address()).lose(2);
        StockroomClient client =
            StockroomClient.builder()
                .address(proxy.address())
                .credentials(merchant.credentials())
                .longestWait(Duration.ofSeconds(5))
                .build()) {
      CreateReport report = client.createStock(List.of(group("red", pid, "36", 3)));
      assertThat(report.created()).isEqualTo(1);
      assertThat(proxy.lost()).isEqualTo(2);
      assertThat(client.stock(pid)).hasSize(1);
    }
    assertThat(creates(merchant)).isEqualTo(1);
  }

  @Test
  void retriesReadsAfterALostResponseButNotDetails() throws IOException {
    TestMerchant merchant = server.merchant("Read again");
    int pid = merchant.addProduct();
    try (CuttingProxy proxy = new CuttingProxy(server.address());
        StockroomClient client =
            StockroomClient.builder()
                .address(proxy.address())
                .credentials(merchant.credentials())
                .build()) {
      proxy.lose(1);
      assertThat(client.stock(pid)).isEmpty();
      proxy.lose(1);
      assertThatThrownBy(() -> client.detail(pid)).isInstanceOf(NoAnswerException.class);
      assertThat(proxy.lost()).isEqualTo(2);
      assertThat(client.usage().limit("detail-per-day").orElseThrow().used()).isEqualTo(1);
    }
  }

  /** The number of creates of a merchant in the audit log. */
  private long creates(TestMerchant merchant) {
    try (Operator operator = new Operator(server.adminAddress(), server.operatorKey())) {
      return operator
          .send("GET", "/admin/audit?merchant=" + merchant.id(), "")
          .get("entries")
          .valueStream()
          .filter(entry -> entry.get("action").asString().equals("stock.create"))
          .count();
    }
  }

  @Test
  void signsWithHmacIfTheApplicationMust() {
    TestMerchant merchant = server.merchant("Hmac");
    merchant.requireHmac(true);
    int pid = merchant.addProduct();
    try (StockroomClient md5 = merchant.client();
        StockroomClient hmac =
            merchant.clientBuilder().signatureMethod(SignatureMethod.HMAC_SHA256).build()) {
      AuthenticationException refused =
          catchThrowableOfType(AuthenticationException.class, () -> md5.stock(pid));
      assertThat(refused.code()).contains("SIGN_METHOD_REQUIRED");
      assertThat(hmac.createStock(List.of(group("red", pid, "36", 1))).created()).isEqualTo(1);
      assertThat(hmac.stock(pid)).hasSize(1);
      assertThat(hmac.usage().limits()).isNotEmpty();
    }
  }

  @Test
  void worksWithAClockThatIsAnHourOff() {
    TestMerchant merchant = server.merchant("Clock");
    int pid = merchant.addProduct();
    for (Duration off : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
      Clock wrong = Clock.offset(Clock.systemUTC(), off);
      try (StockroomClient client = merchant.clientBuilder().clock(wrong).build()) {
        assertThat(client.createStock(List.of(group("red", pid, "36", 1))).created()).isEqualTo(1);
        assertThat(client.stock(pid)).hasSize(1);
      }
    }
  }

  @Test
  void reportsWrongCredentialsAndMissingScopes() {
    TestMerchant merchant = server.merchant("Scopes");
    int pid = merchant.addProduct();
    String token = merchant.token(Map.of("scopes", List.of("stock:read")));
    try (StockroomClient wrong =
            StockroomClient.builder()
                .address(server.address())
                .credentials(Credentials.of(merchant.credentials().appid(), "wrong", token))
                .build();
        StockroomClient reader =
            StockroomClient.builder()
                .address(server.address())
                .credentials(
                    Credentials.of(
                        merchant.credentials().appid(), merchant.credentials().secret(), token))
                .build()) {
      assertThatThrownBy(() -> wrong.stock(pid))
          .isInstanceOf(AuthenticationException.class)
          .hasMessageContaining("CREDENTIALS_WRONG");
      assertThat(reader.stock(pid)).isEmpty();
      assertThatThrownBy(() -> reader.detail(pid))
          .isInstanceOf(AuthenticationException.class)
          .hasMessageContaining("SCOPE_MISSING");
    }
  }

  @Test
  void reportsTooManyColorGroups() {
    TestMerchant merchant = server.merchant("Elements");
    merchant.setLimit("limits.create-elements", "2");
    int pid = merchant.addProduct();
    List<ColorGroup> three =
        List.of(group("a", pid, "36", 1), group("b", pid, "36", 1), group("c", pid, "36", 1));
    try (StockroomClient client = merchant.client();
        StockroomClient careful = merchant.clientBuilder().createGroups(2).build()) {
      IncompleteCreateException incomplete =
          catchThrowableOfType(IncompleteCreateException.class, () -> client.createStock(three));
      assertThat(incomplete.report().failed().getFirst().failure())
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("LIST_TOO_LONG");
      assertThat(careful.createStock(three).batches()).hasSize(2);
    }
  }

  @Test
  void rejectsARepeatedEntryWithTheServersMessage() throws Exception {
    TestMerchant merchant = server.merchant("Words");
    int pid = merchant.addProduct();
    List<ColorGroup> repeated = List.of(group("red", pid, "36-40", 1), group("red", pid, "40", 1));
    String body =
        """
        [{"color":"red","pid":%1$d,"param":[{"size":"36-40","stock":1}]},
         {"color":"red","pid":%1$d,"param":[{"size":"40","stock":1}]}]"""
            .formatted(pid);
    for (Language language : Language.values()) {
      try (StockroomClient client = merchant.clientBuilder().language(language).build()) {
        IncompleteCreateException incomplete =
            catchThrowableOfType(
                IncompleteCreateException.class, () -> client.createStock(repeated));
        assertThat(incomplete.report().failed().getFirst().failure())
            .hasMessage(serversWords(merchant, "/Stock/Creat", "application/json", body, language));
        assertThatThrownBy(() -> client.stock(0))
            .hasMessage(
                serversWords(
                    merchant,
                    "/Stock/List",
                    "application/x-www-form-urlencoded",
                    "productid=0",
                    language));
      }
    }
  }

  private String serversWords(
      TestMerchant merchant, String path, String type, String body, Language language)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Content-Type", type)
            .header("Accept-Language", language.tag())
            .POST(BodyPublishers.ofString(body));
    merchant.credentials().headers(Instant.now()).forEach(request::header);
    try (HttpClient http = HttpClient.newHttpClient()) {
      JsonNode answer =
          new JsonMapper().readTree(http.send(request.build(), BodyHandlers.ofString()).body());
      return answer.get("msg").asString();
    }
  }

  @Test
  void servesManyVirtualThreadsWithOneClient() throws Exception {
    TestMerchant merchant = server.merchant("Threads");
    List<Integer> ids = merchant.addProducts(20);
    try (StockroomClient client = merchant.client();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> work = new ArrayList<>();
      for (int pid : ids) {
        work.add(
            () -> {
              var _ = client.createStock(List.of(group("red", pid, "36-38", pid)));
              return client.stock(pid).size();
            });
      }
      List<Future<Integer>> done = threads.invokeAll(work);
      for (Future<Integer> entries : done) {
        assertThat(entries.get()).isEqualTo(3);
      }
    }
    assertThat(creates(merchant)).isEqualTo(20);
  }
}
