package io.stockroom.server.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ReverseProxy;
import io.stockroom.server.testing.TestCertificate;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The configurations of proxies in {@code packaging}, each with the program that it is for. */
class ReverseProxiesTest {
  private static final TestCertificate CERTIFICATE = TestCertificate.make("proxy");
  private static final TestServer SERVER = Nodes.strict();

  /** What people open in a browser. */
  private static final List<String> PAGES =
      List.of("/console/sign-in", "/docs", "/docs/api", "/openapi.json", "/pictures/1-1.png");

  /** What only the admin port serves. */
  private static final List<String> HIDDEN =
      List.of("/admin/merchants", "/metrics", "/health/ready");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void forwardsEveryPathOfTheInterfaceInAnyCase(ReverseProxy.Kind kind) throws Exception {
    List<String> paths =
        SERVER.addresses().stream()
            .filter(address -> !address.contains(" /admin/"))
            .map(address -> address.substring("POST ".length()))
            .toList();
    assertThat(paths).hasSizeGreaterThan(20).contains("/Changes", "/Webhook/Create");
    try (ReverseProxy proxy = start(kind)) {
      for (String path : paths) {
        for (String spelled : List.of(path, path.toLowerCase(Locale.ROOT))) {
          HttpResponse<String> answer = post(proxy.port(), spelled, "");

          assertThat(answer.statusCode()).as(spelled).isEqualTo(400);
          assertThat(answer.headers().firstValue("x-request-id")).as(spelled).isPresent();
          assertThat(answer.body()).as(spelled).contains("HEADER_MISSING");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersPagesAndUnknownPathsAsTheServerDoes(ReverseProxy.Kind kind) throws Exception {
    try (ReverseProxy proxy = start(kind)) {
      for (String path : PAGES) {
        int status = get(proxy.port(), path).statusCode();

        assertThat(status).as(path).isEqualTo(get(SERVER.port(), path).statusCode());
      }
      assertThat(get(proxy.port(), PAGES.getFirst()).statusCode()).isEqualTo(200);
      for (String path : HIDDEN) {
        assertThat(get(proxy.port(), path).statusCode()).as(path).isEqualTo(404);
      }
      assertThat(post(proxy.port(), "/Stock/Create", "").body()).contains("/Stock/Creat");
      assertThat(post(proxy.port(), "/Stock//List", "").statusCode()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @EnumSource
  void carriesSignedCallsAndLargeBodies(ReverseProxy.Kind kind) throws Exception {
    TestMerchant merchant = TestMerchant.fresh();
    int pid = merchant.product();
    try (ReverseProxy proxy = start(kind)) {
      Api api = merchant.api().on(behind(proxy));

      Reply wait = api.call("/Changes").form("after=latest").send();
      assertThat(wait.status()).isEqualTo(200);
      Reply upload =
          api.call("/Stock/Import")
              .query("mode=set&apply=false")
              .body("text/csv", lines(pid, 3 << 20))
              .chunked()
              .send();
      assertThat(upload.status()).as(upload.body()).isEqualTo(200);
      Reply tooLarge = api.create("[" + " ".repeat(3 << 20) + "]");
      assertThat(tooLarge.codes()).containsExactly("BODY_TOO_LARGE");
      assertThat(tooLarge.header("x-request-id")).isPresent();
    }
  }

  /** A file of at least this many characters. */
  private static String lines(int pid, int length) {
    String line = pid + ",red,36,1\n";
    return "pid,color,size,stock\n" + line.repeat(length / line.length() + 1);
  }

  @ParameterizedTest
  @EnumSource
  void clientsCannotForgeTheirAddress(ReverseProxy.Kind kind) throws Exception {
    TestMerchant merchant = TestMerchant.fresh();
    Admin.of(TestServer.shared())
        .send(
            "PATCH",
            "/admin/applications/" + merchant.api().appid(),
            "{\"addresses\":[\"10.0.0.0/8\"]}");
    Api direct = merchant.api().on(SERVER);
    assertThat(forging(direct).status()).isEqualTo(200);
    try (ReverseProxy proxy = start(kind)) {
      Reply reply = forging(direct.on(behind(proxy)));

      assertThat(reply.codes()).containsExactly("ADDRESS_NOT_ALLOWED");
      assertThat(reply.msg()).contains("127.0.0.1");
    }
  }

  private static Reply forging(Api api) {
    return api.call("/Stock/Product").form("page=1").header("X-Forwarded-For", "10.1.2.3").send();
  }

  @ParameterizedTest
  @EnumSource
  void speaksTlsAndHttp2(ReverseProxy.Kind kind) throws Exception {
    try (ReverseProxy proxy = start(kind);
        HttpClient client =
            HttpClient.newBuilder()
                .sslContext(TestCertificate.trusting(List.of(CERTIFICATE)))
                .build()) {
      URI uri = URI.create("https://localhost:%d/Stock/List".formatted(proxy.tlsPort()));
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build(),
              BodyHandlers.ofString());

      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(answer.body()).contains("HEADER_MISSING");
    }
  }

  /** A program that reads JSON must not fail because of a proxy's page. */
  @ParameterizedTest
  @EnumSource
  void answersInJsonWhileNoServerRuns(ReverseProxy.Kind kind) throws Exception {
    int nobody = ReverseProxy.freePort();
    ReverseProxy.Nodes nodes = new ReverseProxy.Nodes(nobody, nobody, nobody, nobody);
    try (ReverseProxy proxy = ReverseProxy.start(kind, folder, nodes, CERTIFICATE, t -> t)) {
      HttpResponse<String> answer = post(proxy.port(), "/Stock/List", "");

      assertThat(answer.statusCode()).isIn(502, 503);
      requireRejection(answer);
    }
  }

  /** The proxy's own answer, in the format of the server's. */
  static void requireRejection(HttpResponse<String> answer) {
    assertThat(answer.headers().firstValue("x-request-id")).isEmpty();
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
    assertThat(answer.headers().firstValue("content-type"))
        .hasValue("application/json; charset=utf-8");
    JsonNode json = new JsonMapper().readTree(answer.body());
    assertThat(json.get("success").asBoolean()).isFalse();
    assertThat(json.at("/errors/0/msg")).isEqualTo(json.get("msg"));
  }

  private ReverseProxy start(ReverseProxy.Kind kind) throws IOException {
    return ReverseProxy.start(kind, folder, SERVER, CERTIFICATE);
  }

  private static TestServer behind(ReverseProxy proxy) {
    return TestServer.elsewhere(proxy.port(), SERVER.adminPort(), SERVER.operatorKey());
  }

  private static HttpResponse<String> post(int port, String path, String body) throws Exception {
    return send(request(port, path).POST(BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    return send(request(port, path));
  }

  private static HttpRequest.Builder request(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }
}
