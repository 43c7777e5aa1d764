package io.stockroom.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.database.StartException;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server with its own TLS. */
class TlsTest {
  @TempDir static Path folder;

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final TestCertificate FIRST = TestCertificate.make("one");
  private static final TestCertificate SECOND = TestCertificate.make("two");

  /** With the first certificate, for tests that do not replace it. */
  private static Stockroom server;

  @BeforeAll
  static void start() throws IOException {
    server = start(FIRST.write(Files.createTempDirectory(folder, "shared")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void servesTheInterfaceAndTheConsoleOverTls(Version version) throws Exception {
    assertThat(server.baseUrl()).isEqualTo("https://localhost:" + server.port());

    HttpResponse<String> call = post(server, version, "/Stock/Product", "page=1");
    assertThat(call.version()).isEqualTo(version);
    assertThat(call.statusCode()).isEqualTo(400);
    assertThat(call.body()).contains("\"success\":false");
    assertThat(call.headers().firstValue("strict-transport-security")).hasValue("max-age=31536000");
    String large = "[" + " ".repeat(100_000) + "]";
    assertThat(post(server, version, "/Stock/Creat", large).statusCode()).isEqualTo(400);
    assertThat(get(server, version, "/console/sign-in").statusCode()).isEqualTo(200);
    URI health = URI.create("http://localhost:" + server.adminPort() + "/health/live");
    assertThat(send(Version.HTTP_1_1, HttpRequest.newBuilder(health).build()).statusCode())
        .isEqualTo(200);
  }

  @Test
  void tellsWhenItsCertificateExpires() throws Exception {
    URI metrics = URI.create("http://localhost:" + server.adminPort() + "/metrics");
    String name = "stockroom_certificate_expiry_seconds ";
    double expiry =
        send(Version.HTTP_1_1, HttpRequest.newBuilder(metrics).build())
            .body()
            .lines()
            .filter(line -> line.startsWith(name))
            .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
            .findFirst()
            .orElseThrow();

    assertThat(expiry - System.currentTimeMillis() / 1e3).isBetween(86_400.0, 2 * 86_400.0);
  }

  @Test
  void rejectsPlainHttpOnThatPort() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write("GET /console HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);

      assertThat(answer).doesNotContain("200").doesNotContain("302");
    }
  }

  @Test
  void acceptsOnlyCiphersWithForwardSecrecyAndAuthenticatedEncryption() throws Exception {
    for (String strong :
        List.of(
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256")) {
      assertThat(cipher(server, strong)).isEqualTo(strong);
    }
    for (String weak :
        List.of(
            "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256")) {
      assertThatThrownBy(() -> cipher(server, weak))
          .as(weak)
          .isInstanceOf(SSLHandshakeException.class)
          .hasMessageContaining("handshake_failure");
    }
  }

  /** The cipher suite negotiated with a client that offers only this one. */
  private static String cipher(Stockroom server, String suite) throws Exception {
    try (SSLSocket socket =
        (SSLSocket) trusting().getSocketFactory().createSocket("localhost", server.port())) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.startHandshake();
      return socket.getSession().getCipherSuite();
    }
  }

  @Test
  void reloadsReplacedFilesAndKeepsTheOldOnesIfTheNewAreInvalid() throws Exception {
    Path place = Files.createTempDirectory(folder, "c");
    try (Stockroom reloading = start(FIRST.write(place))) {
      assertThat(subject(reloading)).isEqualTo("CN=one");
      SECOND.write(place);
      assertThat(Eventually.within(PATIENCE, () -> subject(reloading).equals("CN=two"))).isTrue();

      Files.writeString(place.resolve("certificate.pem"), "no certificate at all");
      Files.writeString(place.resolve("key.pem"), FIRST.key());
      assertThat(subject(reloading)).isEqualTo("CN=two");

      FIRST.write(place);
      assertThat(Eventually.within(PATIENCE, () -> subject(reloading).equals("CN=one"))).isTrue();
    }
  }

  @Test
  void rejectsUnusableFilesAtStartup() throws Exception {
    Path place = Files.createTempDirectory(folder, "d");
    Map<String, String> both = FIRST.write(place);

    refuses(Map.of("tls.key", String.valueOf(both.get("tls.key"))), "must be set together");
    refuses(
        Map.of("tls.certificate", String.valueOf(both.get("tls.certificate"))),
        "must be set together");
    Files.writeString(place.resolve("key.pem"), SECOND.key());
    refuses(both, "does not belong to the first certificate");
    Files.writeString(place.resolve("key.pem"), FIRST.certificate());
    refuses(both, "must be an unencrypted private key in PEM form");
    Files.writeString(place.resolve("certificate.pem"), "nothing");
    refuses(both, "must be a certificate in PEM form");
    Files.delete(place.resolve("certificate.pem"));
    refuses(both, "must be a file that the server can read");
  }

  private static void refuses(Map<String, String> settings, String words) {
    assertThatThrownBy(() -> start(settings).close())
        .isInstanceOf(StartException.class)
        .hasMessageContaining(words);
  }

  private static Stockroom start(Map<String, String> tls) {
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(OwnDatabase.withTables()));
    settings.putAll(tls);
    try {
      return Stockroom.start(Files.createTempDirectory(folder, "data"), Settings.with(settings));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> post(
      Stockroom server, Version version, String path, String body) throws Exception {
    return send(version, request(server, path).POST(BodyPublishers.ofString(body)).build());
  }

  private static HttpResponse<String> get(Stockroom server, Version version, String path)
      throws Exception {
    return send(version, request(server, path).build());
  }

  private static HttpRequest.Builder request(Stockroom server, String path) {
    return HttpRequest.newBuilder(URI.create(server.baseUrl() + path))
        .header("Content-Type", "application/x-www-form-urlencoded");
  }

  private static HttpResponse<String> send(Version version, HttpRequest request) throws Exception {
    try (HttpClient client =
        HttpClient.newBuilder().version(version).sslContext(trusting()).build()) {
      return client.send(request, BodyHandlers.ofString());
    }
  }

  private static String subject(Stockroom server) {
    try {
      SSLSession session =
          get(server, Version.HTTP_1_1, "/console/sign-in").sslSession().orElseThrow();
      return ((X509Certificate) session.getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static SSLContext trusting() throws Exception {
    return TestCertificate.trusting(List.of(FIRST, SECOND));
  }
}
