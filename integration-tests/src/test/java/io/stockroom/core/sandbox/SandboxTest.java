package io.stockroom.core.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every row of the table in the docs, and the calls that move the clock and reset limits. */
class SandboxTest {
  private static final Path PAGE = Path.of("..", "docs", "sandbox.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(9\\d{8})` \\| (.+?) \\| (\\d+) \\| `(\\w+)` \\| (.*?) ?\\|$");
  private static final List<String> CALLS =
      List.of(
          "/Stock/Product",
          "/Stock/List",
          "/Stock/Creat",
          "/Stock/Adjust",
          "/Product/Detail",
          "/Product/Save",
          "/Product/Archive",
          "/Product/Restore");
  private static final TestServer SERVER =
      TestServer.with(
          Map.of(
              "sandbox", "true", "limits.create-interval", "PT1H", "limits.detail-per-day", "1"));
  private static final TestMerchant MERCHANT = TestMerchant.on(SERVER);
  private static final Api API = MERCHANT.api();

  @AfterEach
  void showTheRealTime() {
    setClock("PT0S");
  }

  static Stream<Arguments> rows() throws IOException {
    return ROW.matcher(Files.readString(PAGE)).results().flatMap(SandboxTest::calls);
  }

  private static Stream<Arguments> calls(MatchResult row) {
    return CALLS.stream()
        .filter(
            path -> row.group(2).equals("every call") || row.group(2).contains("`" + path + "`"))
        .map(
            path ->
                Arguments.of(
                    Integer.parseInt(row.group(1)),
                    path,
                    Integer.parseInt(row.group(3)),
                    row.group(4),
                    row.group(5).strip()));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void answersAsTheTableSays(int product, String path, int status, String code, String retry) {
    Reply reply = send(API, path, product);

    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(reply.success()).isFalse();
    assertThat(status == 200 ? reply.header("x-error-code").orElse("") : reply.codes().getFirst())
        .isEqualTo(code);
    assertThat(reply.header("retry-after").isPresent()).isEqualTo(!retry.isEmpty());
    if (retry.matches("\\d+")) {
      assertThat(reply.header("retry-after")).contains(retry);
    }
  }

  @Test
  void theTableHasEveryProduct() throws IOException {
    String page = Files.readString(PAGE);

    for (SandboxProduct product : SandboxProduct.values()) {
      assertThat(page).contains("| `" + product.number() + "`");
    }
    assertThat(new TreeSet<>(rows().map(row -> (Integer) row.get()[0]).toList())).hasSize(8);
  }

  @Test
  void takesFilesAndAnswersTheNumbersInTheirQuery() {
    Reply started = importing("name=stock.csv").send();
    assertThat(started.success()).as(started.body()).isTrue();
    assertThat(started.json().get("job").asString()).matches("[0-9]+");

    assertThat(importing("name=900000503").send().codes()).containsExactly("OVERLOADED");
  }

  private static Call importing(String query) {
    return API.call("/Stock/Import").query(query).body("text/csv", "artNo,color,36\nX,red,1\n");
  }

  @Test
  void messagesAreInTheLanguageOfTheCaller() {
    assertThat(
            API.call("/Product/Detail")
                .form("pid=" + SandboxProduct.STORE_PRODUCTS.number())
                .header("Accept-Language", "zh")
                .send()
                .msg())
        .startsWith("绑定店铺");
  }

  @Test
  void aWrongRequestIsRejectedFirst() {
    assertThat(API.create("[{\"pid\":900000503}]").codes()).doesNotContain("OVERLOADED");
    assertThat(API.stock(900_000_505).header("x-error-code")).contains("PRODUCT_MISSING");
  }

  @Test
  void takesFilesAsEveryServerDoes() {
    Reply reply =
        API.call("/Stock/Import").body("text/csv", "artNo,title,price\nS1,Shoe,1\n").send();

    assertThat(reply.success()).as(reply.body()).isTrue();
  }

  @Test
  void cutsTheConnectionInTheMiddleOfTheResponse() {
    assertThatThrownBy(() -> API.stock(SandboxProduct.CONNECTION_CUT.number()))
        .hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void waitsAsManySecondsAsTheNumberSays() {
    long start = System.nanoTime();

    assertThat(API.stock(SandboxProduct.SLOW.number()).header("x-error-code"))
        .contains("PRODUCT_MISSING");
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(1_000_000_000L);
  }

  @Test
  void anHourPassesWhenTheClockIsMoved() {
    TestMerchant merchant = TestMerchant.on(SERVER);
    int pid = merchant.product();
    String stock = "[{\"pid\":%d,\"color\":\"red\",\"param\":[{\"size\":\"36\",\"stock\":1}]}]";
    assertThat(merchant.api().create(stock.formatted(pid)).success()).isTrue();

    setClock("PT59M");
    assertThat(merchant.api().create(stock.formatted(pid)).codes()).containsExactly("CREATE_RATE");
    setClock("PT1H");
    assertThat(merchant.api().create(stock.formatted(pid)).success()).isTrue();
  }

  @Test
  void theNextDayComesWhenTheClockIsMoved() {
    TestMerchant merchant = TestMerchant.on(SERVER);
    int pid = merchant.product();
    Api shortLived = merchant.token("\"expires\":\"PT23H\"");
    assertThat(merchant.api().detail(pid).success()).isTrue();
    assertThat(merchant.api().detail(pid).header("x-error-code")).contains("DETAIL_PER_DAY");
    assertThat(shortLived.stock(pid).header("x-error-code")).contains("STOCK_NOT_ADDED");

    setClock("PT24H");

    assertThat(merchant.api().detail(pid).success()).isTrue();
    assertThat(shortLived.stock(pid).codes()).containsExactly("TOKEN_EXPIRED");
  }

  @Test
  void limitsAreFreeAfterAReset() {
    TestMerchant merchant = TestMerchant.on(SERVER);
    int pid = merchant.product();
    String stock = "[{\"pid\":%d,\"color\":\"red\",\"param\":[{\"size\":\"36\",\"stock\":1}]}]";
    assertThat(merchant.api().detail(pid).success()).isTrue();
    assertThat(merchant.api().create(stock.formatted(pid)).success()).isTrue();

    assertThat(admin("POST", "merchants/" + merchant.id() + "/reset", "")).startsWith("200 ");
    assertThat(merchant.api().detail(pid).success()).isTrue();
    assertThat(merchant.api().create(stock.formatted(pid)).success()).isTrue();
    assertThat(admin("POST", "merchants/2147483647/reset", "")).contains("MERCHANT_MISSING");
  }

  @Test
  void repeatedCallsAreCarriedOutAfterAReset() {
    TestMerchant merchant = TestMerchant.on(SERVER);
    int pid = merchant.product();
    Call create = merchant.api().call("/Stock/Creat").json(Stock.one(pid, "red", "36", 5));
    Call keyed = merchant.api().call("/Stock/Adjust").header("Idempotency-Key", "k");
    keyed.json("[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":1}]".formatted(pid));
    create.at(merchant.api().nextTimestamp());
    for (int i = 0; i < 2; i++) {
      assertThat(create.send().success()).isTrue();
      assertThat(keyed.send().success()).isTrue();
      assertThat(merchant.api().stock(pid).data("stock")).containsExactly("6");
    }

    assertThat(admin("POST", "merchants/" + merchant.id() + "/reset", "")).startsWith("200 ");
    assertThat(keyed.send().success()).isTrue();
    assertThat(merchant.api().stock(pid).data("stock")).containsExactly("7");
    assertThat(create.send().success()).isTrue();
    assertThat(merchant.api().stock(pid).data("stock")).containsExactly("5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-PT1S", "PT87600H0.001S", "1 day", ""})
  void rejectsOtherDurations(String ahead) {
    assertThat(admin("PUT", "clock", "{\"ahead\":\"%s\"}".formatted(ahead))).startsWith("400 ");
  }

  @Test
  void acceptsTenYearsAndShowsTheTime() {
    setClock("PT87600H");

    assertThat(admin("GET", "", ""))
        .contains("\"ahead\":\"PT87600H\"", "{\"number\":900000503,\"answer\":\"OVERLOADED\"}");
  }

  @Test
  void aServerWithoutASandboxHasNoneOfThis() {
    TestMerchant merchant = TestMerchant.fresh();

    assertThat(merchant.api().stock(900_000_503).header("x-error-code"))
        .contains("PRODUCT_MISSING");
    TestServer server = TestServer.shared();
    assertThat(admin(server, "GET", "", "")).startsWith("404 ");
    assertThat(admin(server, "PUT", "clock", "{\"ahead\":\"PT1S\"}")).startsWith("404 ");
    assertThat(admin(server, "POST", "merchants/1/reset", "")).startsWith("404 ");
  }

  private static void setClock(String ahead) {
    assertThat(admin("PUT", "clock", "{\"ahead\":\"%s\"}".formatted(ahead))).startsWith("200 ");
  }

  private static String admin(String method, String path, String body) {
    return admin(SERVER, method, path, body);
  }

  /** Status and body. These calls are not part of the API documents: most servers lack them. */
  private static String admin(TestServer server, String method, String path, String body) {
    String key = server.operatorKey();
    return Http.raw(
            server.adminPort(),
            """
            %s /admin/sandbox%s HTTP/1.1\r
            Host: localhost\r
            Authorization: Bearer %s\r
            Connection: close\r
            Content-Length: %d\r
            \r
            %s\
            """
                .formatted(method, path.isEmpty() ? "" : "/" + path, key, body.length(), body))
        .replaceFirst("^HTTP/1.1 ", "");
  }

  private static Reply send(Api api, String path, int product) {
    return switch (path) {
      case "/Stock/Product" -> api.products("page=" + product);
      case "/Stock/List" -> api.stock(product);
      case "/Product/Detail" -> api.detail(product);
      case "/Stock/Creat" ->
          api.create(
              "[{\"pid\":%d,\"color\":\"red\",\"param\":[{\"size\":\"36\",\"stock\":1}]}]"
                  .formatted(product));
      case "/Stock/Adjust" ->
          api.adjust(
              "[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":1}]".formatted(product));
      case "/Product/Save", "/Product/Archive", "/Product/Restore" ->
          api.call(path).json("[{\"pid\":%d}]".formatted(product)).send();
      default -> throw new IllegalArgumentException(path);
    };
  }
}
