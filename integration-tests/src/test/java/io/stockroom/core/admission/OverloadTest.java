package io.stockroom.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.database.LongTransaction;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestImports;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class OverloadTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  /** Half of the server's connections. */
  private static final int LIMIT = 3;

  @Test
  void shedsCreatesBeyondTheLimitAndRecovers() throws Exception {
    TestMerchant merchant = TestMerchant.on(server());
    int pid = merchant.product();
    Api api = merchant.api();
    ConcurrencyLimit limit = server().limits().of(CallKind.CREATE);
    List<Permit> taken = new ArrayList<>();
    try {
      while (taken.size() < LIMIT) {
        taken.add(Objects.requireNonNull(limit.acquire()));
      }
      assertThat(metric("active")).isEqualTo(LIMIT);

      Reply refused = api.create(Stock.one(pid, "late", "36", 1));
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.codes()).containsExactly("OVERLOADED");
      assertThat(Integer.parseInt(refused.header("retry-after").orElseThrow())).isBetween(1, 3);
      assertThat(metric("rejected_total")).isPositive();

      // reads, details, pages and operator calls have their own limits
      assertThat(api.products("page=1").status()).isEqualTo(200);
      assertThat(api.stock(pid).status()).isEqualTo(200);
      assertThat(api.call("/Usage").form("").send().status()).isEqualTo(200);
      assertThat(Admin.of(server()).get("/admin/merchants/" + merchant.id()).status())
          .isEqualTo(200);
      assertThat(Pages.on(server()).get("/console/sign-in").statusCode()).isEqualTo(200);
    } finally {
      taken.forEach(Permit::close);
    }
    assertThat(api.create(Stock.one(pid, "late", "36", 1)).status()).isEqualTo(200);
    assertThat(merchant.entries()).isEqualTo(1);
    assertThat(Eventually.within(SOON, () -> metric("active") == 0)).isTrue();
  }

  @Test
  void aCallToAFullQueueIsRejectedAndKeepsTheConnection() throws Exception {
    TestMerchant merchant = TestMerchant.on(server());
    ConcurrencyLimit limit = server().limits().of(CallKind.READ);
    byte[] request = listing(merchant.api(), "en");
    List<Permit> inside = new ArrayList<>();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
      fill(limit, inside);

      String refused = exchange(socket, request);
      assertThat(refused)
          .startsWith("HTTP/1.1 503")
          .containsPattern("\r\nX-Request-Id: [0-9a-f]{16}\r\n")
          .containsPattern("\r\nRetry-After: [123]\r\n")
          .contains("\r\nDate: ", "\"success\":false", "\"code\":\"OVERLOADED\"");
      assertThat(exchange(socket, listing(merchant.api(), "zh"))).contains("秒");
      assertThat(metric("rejected_total", "read")).isGreaterThanOrEqualTo(2);
      // in two pieces, so that the server waits for the second
      socket.getOutputStream().write(request, 0, request.length - 3);
      assertThat(exchange(socket, Arrays.copyOfRange(request, request.length - 3, request.length)))
          .startsWith("HTTP/1.1 503");

      inside.removeLast().close();
      assertThat(exchange(socket, request)).startsWith("HTTP/1.1 200");
    } finally {
      inside.forEach(Permit::close);
    }
    assertThat(Eventually.within(SOON, () -> limit.inside() == 0)).isTrue();
  }

  @Test
  void aMerchantThatFillsItsShareIsRejectedBeforeOthers() throws Exception {
    TestMerchant greedy = TestMerchant.on(server());
    Api modest = TestMerchant.on(server()).api();
    ConcurrencyLimit limit = server().limits().of(CallKind.CREATE);
    int pid = greedy.product();
    List<Permit> taken = new ArrayList<>();
    try {
      for (int i = 0; i < Math.ceilDiv(LIMIT, 2); i++) {
        taken.add(Objects.requireNonNull(limit.acquire(Integer.toString(greedy.id()), "")));
      }

      assertThat(greedy.api().create(Stock.one(pid, "red", "36", 1)).status()).isEqualTo(503);
      assertThat(modest.create(Stock.one(pid, "red", "36", 1)).status()).isEqualTo(200);
    } finally {
      taken.forEach(Permit::close);
    }
    assertThat(greedy.api().create(Stock.one(pid, "red", "36", 1)).status()).isEqualTo(200);
  }

  private static void fill(ConcurrencyLimit limit, List<Permit> inside) {
    for (Permit next = limit.enter(); next != null; next = limit.enter()) {
      inside.add(next);
    }
  }

  private static byte[] listing(Api api, String language) {
    String head =
        api.call("/Stock/Product")
            .form("")
            .head("Content-Length: 6", "Accept-Language: " + language);
    return (head + "page=1").getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String exchange(Socket socket, byte[] request) throws Exception {
    socket.setSoTimeout((int) SOON.toMillis());
    socket.getOutputStream().write(request);
    StringBuilder answer = new StringBuilder();
    byte[] bytes = new byte[1 << 16];
    while (!answer.toString().endsWith("}")) {
      int count = socket.getInputStream().read(bytes);
      assertThat(count).as("the connection is kept").isPositive();
      answer.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
    }
    return answer.toString();
  }

  @Test
  void slowUploadsDoNotUsePageOrOperatorPermits() throws Exception {
    TestMerchant merchant = TestMerchant.on(server());
    Pages pages = Pages.of(TestPerson.of(merchant));
    TestImports imports = new TestImports(server(), merchant.id());
    byte[] file = "artNo,title,price\nA1,Shoe,59\n".getBytes(StandardCharsets.UTF_8);
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<HttpResponse<String>> person;
      Future<Reply> operator;
      try (LongTransaction held = server().database().begin();
          Statement statement = held.connection().createStatement()) {
        statement.execute("lock table import_piece in exclusive mode");
        person = senders.submit(() -> pages.upload("/console/imports?name=a.csv", file));
        operator =
            senders.submit(
                () -> imports.send("b.csv", BodyPublishers.ofByteArray(file), "apply=false"));
        assertThat(Eventually.within(SOON, () -> metric("active", "upload") == 2)).isTrue();
        assertThat(metric("active", "page")).isZero();
        assertThat(metric("active", "operator")).isZero();
      }
      assertThat(person.get().statusCode()).isEqualTo(201);
      assertThat(operator.get().status()).isEqualTo(202);
    }
    assertThat(Eventually.within(SOON, () -> metric("active", "upload") == 0)).isTrue();
  }

  private static double metric(String name) {
    return metric(name, "create");
  }

  private static double metric(String name, String kind) {
    String line = "stockroom_admission_%s{kind=\"%s\"} ".formatted(name, kind);
    URI uri = URI.create("http://127.0.0.1:%d/metrics".formatted(server().adminPort()));
    return Http.send(HttpRequest.newBuilder(uri).GET())
        .body()
        .lines()
        .filter(each -> each.startsWith(line))
        .mapToDouble(each -> Double.parseDouble(each.substring(line.length())))
        .findFirst()
        .orElseThrow();
  }

  /** A server that rejects calls after a short wait. */
  private static TestServer server() {
    return TestServer.with(Map.of("limits.create-interval", "PT0S", "load.max-wait", "PT0.05S"));
  }
}
