package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connection goes to the checked address; TLS still verifies the name of the URL. */
class WebhookTlsTest {
  private static final char[] PASSWORD = "secret".toCharArray();
  private static final List<String> NAMES = new CopyOnWriteArrayList<>();

  @TempDir static Path folder;
  private static SSLContext tls;
  private static RawReceiver receiver;

  @BeforeAll
  static void start() throws Exception {
    Path file = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=hooks.example",
                "-ext",
                "san=dns:hooks.example",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                "secret")
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD);
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
    known.load(null, null);
    known.setCertificateEntry("a", keys.getCertificate("a"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(known);
    tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    receiver =
        new RawReceiver(
            tls.getServerSocketFactory(),
            (socket, out) -> {
              ExtendedSSLSession session = (ExtendedSSLSession) ((SSLSocket) socket).getSession();
              session
                  .getRequestedServerNames()
                  .forEach(name -> NAMES.add(((SNIHostName) name).getAsciiName()));
              out.write("HTTP/1.1 204 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            });
  }

  @AfterAll
  static void stop() {
    receiver.close();
  }

  @Test
  void namesTheHostInSniAndVerifiesItsCertificate() {
    assertThat(send(tls, "hooks.example").status()).isEqualTo(204);
    assertThat(NAMES).contains("hooks.example");
    assertThat(receiver.requests().getLast())
        .contains("Host: hooks.example:" + receiver.port() + "\r\n");
  }

  @Test
  void rejectsACertificateForAnotherName() {
    assertThat(send(tls, "other.example").error()).isEqualTo(DeliveryError.TLS);
    assertThat(receiver.requests()).noneMatch(request -> request.contains("other.example"));
  }

  @Test
  void rejectsACertificateThatNobodyVouchesFor() throws Exception {
    assertThat(send(SSLContext.getDefault(), "hooks.example").error()).isEqualTo(DeliveryError.TLS);
  }

  private static WebhookSender.Outcome send(SSLContext trust, String host) {
    ReceiverHosts hosts =
        new ReceiverHosts(_ -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")}, true);
    try (WebhookSender sender = new WebhookSender(hosts, trust, Duration.ofSeconds(30))) {
      URI url = URI.create("https://%s:%d/".formatted(host, receiver.port()));
      return sender.send(url, Map.of(), "{}".getBytes(StandardCharsets.UTF_8));
    }
  }
}
