package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.Size;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallsTest {
  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = time.client(server, 0).build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static String page(int total, int... ids) {
    String data =
        String.join(
            ",",
            IntStream.of(ids)
                .mapToObj("{\"id\":%1$d,\"artNo\":\"A%1$d\",\"pic\":\"p%1$d\"}"::formatted)
                .toList());
    return "{\"success\":true,\"totalPages\":%d,\"data\":[%s]}".formatted(total, data);
  }

  @Test
  void signsWithMd5AsDocumented() {
    server.json(200, page(0));
    assertThat(client.productPage(3, StockFilter.WITHOUT_STOCK).products()).isEmpty();
    ScriptedServer.Received sent = server.received().get(0);
    assertThat(sent.line()).isEqualTo("POST /Stock/Product HTTP/1.1");
    assertThat(sent.body()).isEqualTo("page=3&stock=false");
    assertThat(sent.header("appid")).isEqualTo("app_1");
    assertThat(sent.header("accesstoken")).isEqualTo("srt_token");
    assertThat(sent.header("timestamp")).isEqualTo("1800000000");
    assertThat(sent.header("sign")).isEqualTo(Signature.sign("secret", "1800000000"));
    assertThat(sent.header("content-type")).isEqualTo("application/x-www-form-urlencoded");
    assertThat(sent.headers()).doesNotContainKey("sign-method");
  }

  @Test
  void signsPathAndBodyWithHmac() {
    try (StockroomClient hmac =
        StockroomClient.builder()
            .address(server.address() + "/market/")
            .credentials(Credentials.of("app_1", "secret", "srt_token"))
            .signatureMethod(SignatureMethod.HMAC_SHA256)
            .clock(time)
            .build()) {
      server.json(200, "{\"success\":true,\"data\":[],\"msg\":\"\"}");
      assertThat(hmac.stock(7)).isEmpty();
    }
    ScriptedServer.Received sent = server.received().get(0);
    assertThat(sent.path()).isEqualTo("/market/Stock/List");
    assertThat(sent.header("sign-method")).isEqualTo("hmac-sha256");
    String nonce = sent.header("sign-nonce");
    assertThat(Signature.isWellFormedNonce(nonce)).isTrue();
    String text =
        Signature.signedText(
            "POST",
            "/market/Stock/List",
            "1800000000",
            "srt_token",
            "productid=7".getBytes(StandardCharsets.UTF_8),
            nonce);
    assertThat(sent.header("sign")).isEqualTo(Signature.hmac("secret", text));
  }

  @Test
  void fetchesAPageOnlyWhenItsFirstProductIsNeeded() {
    server.json(200, page(3, 1, 2)).json(200, page(3, 3, 4)).json(200, page(3, 5));
    assertThat(client.products().limit(2).map(ProductSummary::id)).containsExactly(1, 2);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void fetchesEachPageOnce() {
    server.json(200, page(3, 1, 2)).json(200, page(3)).json(200, page(3, 5));
    assertThat(client.products(StockFilter.WITH_STOCK).map(ProductSummary::id))
        .containsExactly(1, 2, 5);
    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("page=1&stock=true", "page=2&stock=true", "page=3&stock=true");
  }

  @Test
  void readsStockWithAndWithoutABarcode() {
    server.json(
        200,
        """
        {"success":true,"data":[
          {"guid":"0a","barCode":null,"color":"red","size":36,"stock":20,"new":[{"field":1}]},
          {"guid":"0b","barCode":"69","color":"red","size":37,"stock":0}],"msg":""}""");
    assertThat(client.stock(1))
        .containsExactly(
            new StockEntry("0a", null, "red", Size.of(36), 20),
            new StockEntry("0b", "69", "red", Size.of(37), 0));
  }

  @Test
  void returnsNoEntriesForAProductWithoutStock() {
    server.json(
        200, "{\"success\":false,\"data\":\"\",\"msg\":\"none\"}", "X-Error-Code: STOCK_NOT_ADDED");
    assertThat(client.stock(1)).isEmpty();
  }

  @Test
  void distinguishesAMissingProductFromOtherRejections() {
    String refused = "{\"success\":false,\"data\":\"\",\"msg\":\"Gone.\"}";
    server.json(200, refused, "X-Error-Code: PRODUCT_MISSING").json(200, refused);
    NotFoundException missing =
        catchThrowableOfType(NotFoundException.class, () -> client.stock(1));
    assertThat(missing).hasMessage("Gone. [status 200, PRODUCT_MISSING, request r1]");
    assertThat(missing.requestId()).contains("r1");
    assertThat(missing.code()).contains("PRODUCT_MISSING");
    assertThat(missing.status()).hasValue(200);
    assertThatThrownBy(() -> client.stock(1))
        .isInstanceOf(RejectedException.class)
        .hasMessageStartingWith("Gone.");
  }

  private static final String DETAIL =
      """
      {"success":true,"msg":"","data":{"categoryIdTree":"1,2","categoryNameTree":"a,b",
      "description":"<p>","imgs":["x","y"],"price":59.00,"outerId":"o","picUrl":"x",
      "attributes":[{"name":"n","value":"v"}],
      "skus":[{"color":"red","size":"38,39","stockNum":"74,%s","skuImg":""}],
      "storeUrl":"s","storeName":"S","title":"t","video":""}}""";

  @Test
  void readsADetailWithTheRemainingQuotas() {
    server.json(
        200,
        DETAIL.formatted("2"),
        "RateLimit-Policy: \"detail-per-day\";q=300;w=86400, \"store-products\";q=5000;w=7948800",
        "RateLimit: \"detail-per-day\";r=299;t=77106, \"store-products\";r=4999");
    FetchedDetail fetched = client.detail(5);
    assertThat(fetched.product().price()).isEqualTo(new BigDecimal("59.00"));
    assertThat(fetched.product().skus().get(0).sizes())
        .containsExactly(
            new ProductDetail.SizeStock(Size.of(38), 74),
            new ProductDetail.SizeStock(Size.of(39), 2));
    assertThat(fetched.quotas())
        .containsExactly(
            new Quota("detail-per-day", 300, 299, Duration.ofDays(1), Duration.ofSeconds(77106)),
            new Quota("store-products", 5000, 4999, Duration.ofSeconds(7948800), null));
    assertThat(fetched.quota("store-products").orElseThrow().remaining()).isEqualTo(4999);
    assertThat(server.received().get(0).body()).isEqualTo("pid=5");
  }

  @Test
  void rejectsADetailWithUnequalNumbersOfSizesAndQuantities() {
    server.json(200, DETAIL.formatted("2,3"));
    assertThatThrownBy(() -> client.detail(5))
        .isInstanceOf(UnexpectedAnswerException.class)
        .hasMessageContaining("as many quantities as sizes");
  }

  @Test
  void reportsWhichLimitIsReachedWithoutRetrying() {
    String refused = "{\"success\":false,\"msg\":\"Used up.\",\"data\":\"\"}";
    server.json(
        200,
        refused,
        "X-Error-Code: DETAIL_PER_DAY",
        "Retry-After: 3600",
        "RateLimit-Policy: \"detail-per-day\";q=300;w=86400",
        "RateLimit: \"detail-per-day\";r=0;t=3600");
    LimitReachedException reached =
        catchThrowableOfType(LimitReachedException.class, () -> client.detail(5));
    assertThat(reached.code()).contains("DETAIL_PER_DAY");
    assertThat(reached.retryAfter()).contains(Duration.ofHours(1));
    assertThat(reached.quotas()).extracting(Quota::remaining).containsExactly(0L);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void reportsAcceptedAndRejectedPublishResults() {
    server.json(
        200,
        """
        {"success":false,"msg":"x","accepted":1,
         "errors":[{"at":"[1].pid","code":"PRODUCT_MISSING","msg":"gone"}]}""");
    PublishReport report =
        client.publish(
            List.of(PublishResult.published(1, "https://s/1"), PublishResult.failed(2, "no")));
    assertThat(report.accepted()).isEqualTo(1);
    assertThat(report.complete()).isFalse();
    assertThat(report.problems())
        .containsExactly(new Problem("[1].pid", "PRODUCT_MISSING", "gone"));
    assertThat(server.received().get(0).body())
        .isEqualTo(
            "[{\"pid\":1,\"result\":\"published\",\"url\":\"https://s/1\"},"
                + "{\"pid\":2,\"result\":\"failed\",\"msg\":\"no\"}]");
  }

  @Test
  void rejectsInvalidValuesBeforeSendingWithTheServersMessages() {
    try (StockroomClient chinese = time.client(server, 0).language(Language.CHINESE).build()) {
      assertThatThrownBy(() -> client.stock(0))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessage("productid: \"0\" is not a whole number from 1 to 2147483647.");
      assertThatThrownBy(() -> chinese.stock(0)).hasMessageStartingWith("productid: “0”");
      assertThatThrownBy(() -> client.productPage(0, StockFilter.ALL))
          .hasMessageStartingWith("page: ");
      assertThatThrownBy(() -> client.detail(-1)).hasMessageStartingWith("pid: ");
      assertThatThrownBy(() -> client.publish(List.of()))
          .hasMessage("The list is empty; send at least one element.");
    }
    InvalidRequestException twice =
        catchThrowableOfType(
            InvalidRequestException.class,
            () ->
                client.publish(
                    List.of(PublishResult.withdrawn(4), PublishResult.failed(4, "a\0b"))));
    assertThat(twice.problems())
        .extracting(Problem::at, Problem::code)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("[1].msg", "TEXT_CHARACTERS"));
    assertThat(twice.status()).isEmpty();
    assertThat(server.received()).isEmpty();
  }

  @Test
  void publishesAtMost300Results() {
    List<PublishResult> most =
        IntStream.rangeClosed(1, 300).mapToObj(PublishResult::withdrawn).toList();
    server.json(200, "{\"success\":true,\"msg\":\"\",\"accepted\":300,\"errors\":[]}");
    assertThat(client.publish(most).complete()).isTrue();
    List<PublishResult> more =
        IntStream.rangeClosed(1, 301).mapToObj(PublishResult::withdrawn).toList();
    assertThatThrownBy(() -> client.publish(more))
        .hasMessageContaining("The list has 301 elements; at most 300");
  }

  @Test
  void sendsTheLanguageOfTheClient() {
    try (StockroomClient chinese = time.client(server, 0).language(Language.CHINESE).build()) {
      server.rejection(400, "page", "NUMBER_FORMAT");
      InvalidRequestException refused =
          catchThrowableOfType(InvalidRequestException.class, chinese::usage);
      assertThat(refused.problems()).containsExactly(new Problem("page", "NUMBER_FORMAT", "no"));
      assertThat(refused.status()).hasValue(400);
    }
    assertThat(server.received().get(0).header("accept-language")).isEqualTo("zh");
  }

  @Test
  void rejectsCallsAfterClose() {
    client.close();
    assertThatThrownBy(client::usage)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }
}
