package io.stockroom.server.packaging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.function.UnaryOperator.identity;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ReverseProxy;
import io.stockroom.server.testing.ReverseProxy.Kind;
import io.stockroom.server.testing.ReverseProxy.Nodes;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestCertificate;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only HAProxy's configuration does: two nodes, and a backend for each kind of call. */
class HaProxyTest {
  private static final TestCertificate CERTIFICATE = TestCertificate.make("proxy");
  private static final TestServer SERVER = TestServer.shared();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final int MERCHANTS = 4;

  /** Calls of each merchant; together more than the reads that it lets through at a time. */
  private static final int WAITING = 40;

  @TempDir Path folder;

  /** A node that is ready, but reads each request and never answers it. */
  private static final class BrokenNode implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ConcurrentLinkedQueue<Socket> open = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final boolean hangs;

    BrokenNode(boolean hangs) throws IOException {
      this.hangs = hangs;
      var _ = Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = listener.accept();
          open.add(socket);
          var _ = Thread.ofVirtual().start(() -> serve(socket));
        }
      } catch (IOException closed) {
        // the test is over
      }
    }

    private void serve(Socket socket) {
      try {
        BufferedReader head =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
        String line = head.readLine();
        while (line != null && !line.isEmpty()) {
          line = head.readLine();
        }
        if (line != null) {
          requests.incrementAndGet();
        }
        if (!hangs) {
          socket.close();
        }
      } catch (IOException closed) {
        // the test is over
      }
    }

    Nodes alone() {
      int port = listener.getLocalPort();
      return new Nodes(port, SERVER.adminPort(), port, SERVER.adminPort());
    }

    Nodes besideTheServer() {
      return new Nodes(
          listener.getLocalPort(), SERVER.adminPort(), SERVER.port(), SERVER.adminPort());
    }

    /** Stops. */
    void drop() throws IOException {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    }

    @Override
    public void close() throws IOException {
      drop();
    }
  }

  /** A new path that is no read must be given a backend. */
  @Test
  void givesEachKindOfCallItsBackend() throws Exception {
    Map<String, List<String>> paths = new TreeMap<>();
    try (ReverseProxy proxy =
        ReverseProxy.start(
            Kind.HAPROXY,
            folder,
            Nodes.only(SERVER),
            CERTIFICATE,
            text ->
                text.replace(
                    "frontend stockroom\n",
                    "frontend stockroom\n  http-response set-header x-backend %[be_name]\n"))) {
      for (String address : SERVER.addresses()) {
        if (!address.contains(" /admin/")) {
          String path = address.substring("POST ".length());
          String backend = post(proxy, path).headers().firstValue("x-backend").orElseThrow();
          paths.computeIfAbsent(backend, _ -> new ArrayList<>()).add(path);
        }
      }
    }
    assertThat(paths.get("reads")).containsExactlyInAnyOrder("/Stock/Product", "/Stock/List");
    assertThat(paths.get("writes"))
        .containsExactlyInAnyOrder(
            "/Stock/Creat",
            "/Stock/Adjust",
            "/Stock/Remove",
            "/Product/Save",
            "/Product/Archive",
            "/Product/Restore");
    assertThat(paths.get("details")).containsExactly("/Product/Detail");
    assertThat(paths.get("changes")).containsExactly("/Changes");
    assertThat(paths.get("imports"))
        .contains("/Product/Picture")
        .allMatch(path -> path.equals("/Product/Picture") || path.startsWith("/Stock/Import"));
    assertThat(paths.get("webhooks")).allMatch(path -> path.startsWith("/Webhook/"));
    assertThat(paths.get("others"))
        .containsExactlyInAnyOrder(
            "/Product/Find",
            "/Product/Publish",
            "/Usage",
            "/Stock/Batch",
            "/Stock/Snapshot",
            "/Stock/Digest");
  }

  @Test
  void callsThatWaitForChangesDoNotBlockReads() throws Exception {
    try (ReverseProxy proxy = start(Nodes.only(SERVER));
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      TestServer server =
          TestServer.elsewhere(proxy.port(), SERVER.adminPort(), SERVER.operatorKey());
      int before = SERVER.waiting();
      List<Future<Reply>> waiting = new ArrayList<>();
      List<TestMerchant> merchants = Stream.generate(TestMerchant::fresh).limit(MERCHANTS).toList();
      for (TestMerchant merchant : merchants) {
        Api api = merchant.api().on(server);
        for (int i = 0; i < WAITING; i++) {
          waiting.add(clients.submit(() -> untilAccepted(api)));
        }
      }
      assertThat(
              Eventually.within(PATIENCE, () -> SERVER.waiting() - before == MERCHANTS * WAITING))
          .isTrue();

      for (TestMerchant merchant : merchants) {
        Api api = merchant.api().on(server);
        for (int i = 0; i < 10; i++) {
          assertThat(api.products("page=1").status()).isEqualTo(200);
        }
        assertThat(api.create(Stock.one(merchant.product(), "red", "36", 1)).status())
            .isEqualTo(200);
      }
      for (Future<Reply> each : waiting) {
        assertThat(each.get().json().get("changes")).isNotEmpty();
      }
    }
  }

  /** Waits for a change; the server may reject some of many calls that come at once. */
  private static Reply untilAccepted(Api api) {
    Reply reply;
    do {
      reply = api.call("/Changes").form("wait=25").send();
    } while (reply.status() == 503);
    return reply;
  }

  @Test
  void sendsReadsToTheOtherNodeAfterABrokenConnection() throws Exception {
    try (BrokenNode broken = new BrokenNode(false);
        ReverseProxy proxy = start(broken.besideTheServer())) {
      for (int i = 0; i < 10; i++) {
        assertThat(post(proxy, "/Stock/List").body()).contains("HEADER_MISSING");
        assertThat(post(proxy, "/Changes").body()).contains("HEADER_MISSING");
      }
      assertThat(broken.requests.get()).isPositive();
    }
  }

  @Test
  void neverSendsWritesAndDetailsTwice() throws Exception {
    try (BrokenNode broken = new BrokenNode(false);
        ReverseProxy proxy = start(broken.besideTheServer())) {
      for (String path : List.of("/Stock/Creat", "/Product/Detail", "/Stock/Import")) {
        int before = broken.requests.get();
        int failed = 0;
        for (int i = 0; i < 10; i++) {
          HttpResponse<String> answer = post(proxy, path);
          if (answer.statusCode() == 502) {
            failed++;
            requireJson(answer, "UNAVAILABLE", "may or may not");
          }
        }
        assertThat(failed).as(path).isPositive().isEqualTo(broken.requests.get() - before);
      }
    }
  }

  @Test
  void saysThatAServerDidNotAnswerInTime() throws Exception {
    try (BrokenNode hanging = new BrokenNode(true);
        ReverseProxy proxy =
            ReverseProxy.start(
                Kind.HAPROXY,
                folder,
                hanging.alone(),
                CERTIFICATE,
                text -> text.replace("timeout server 60s", "timeout server 200ms"))) {
      HttpResponse<String> answer = post(proxy, "/Stock/Creat");

      assertThat(answer.statusCode()).isEqualTo(504);
      requireJson(answer, "UNAVAILABLE", "may or may not");
    }
  }

  @Test
  void distinguishesAnOverloadFromNoServerAtAll() throws Exception {
    try (BrokenNode hanging = new BrokenNode(true);
        ReverseProxy proxy =
            ReverseProxy.start(
                Kind.HAPROXY,
                folder,
                hanging.alone(),
                CERTIFICATE,
                text -> text.replace("maxconn 4\n", "maxconn 1\n"));
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 2; i++) {
        var _ = clients.submit(() -> post(proxy, "/Usage"));
      }
      assertThat(Eventually.within(PATIENCE, () -> hanging.requests.get() == 2)).isTrue();
      HttpResponse<String> answer = post(proxy, "/Usage");
      // the first two calls end with their connections
      hanging.drop();

      assertThat(answer.statusCode()).isEqualTo(503);
      requireJson(answer, "OVERLOADED", "overloaded");
    }
    int nobody = ReverseProxy.freePort();
    try (ReverseProxy proxy = start(new Nodes(SERVER.port(), nobody, SERVER.port(), nobody))) {
      assertThat(
              Eventually.within(
                  PATIENCE, () -> unchecked(proxy, "/Stock/List").statusCode() == 503))
          .isTrue();
      requireJson(post(proxy, "/Stock/Creat"), "UNAVAILABLE", "No server is ready");
    }
  }

  private ReverseProxy start(Nodes nodes) throws IOException {
    return ReverseProxy.start(Kind.HAPROXY, folder, nodes, CERTIFICATE, identity());
  }

  private static void requireJson(HttpResponse<String> answer, String code, String words) {
    ReverseProxiesTest.requireRejection(answer);
    assertThat(answer.body()).contains("\"" + code + "\"", words);
  }

  private static HttpResponse<String> unchecked(ReverseProxy proxy, String path) {
    try {
      return post(proxy, path);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> post(ReverseProxy proxy, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + proxy.port() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build(),
          BodyHandlers.ofString());
    }
  }
}
