package io.stockroom.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.database.StartException;
import io.stockroom.core.http.BoundedProtocol;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves TLS and HTTP/2 on a web server, and loads replaced certificates without a restart. */
final class TlsServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TlsServer.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private static final String TLS_1_3 =
      String.join(
          ":", "TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256");

  /** As all of TLS 1.3: only forward secrecy and authenticated encryption. */
  private static final String TLS_1_2 =
      String.join(
          ",",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private final TlsFiles files;
  private final BoundedProtocol http;
  private final CountDownLatch closing = new CountDownLatch(1);
  private byte[] seen;

  /** When the certificate in use expires. */
  private volatile Instant expiry;

  TlsServer(TlsFiles files, WebServer web) {
    this.files = files;
    this.http = web.http();
    this.seen = files.content();
    Connector connector = web.connector();
    connector.setScheme("https");
    connector.setSecure(true);
    http.setSSLEnabled(true);
    KeyStore keys = files.keyStore();
    http.addSslHostConfig(host(keys));
    this.expiry = TlsFiles.expiry(keys);
    Http2Protocol http2 = new Http2Protocol();
    http2.setKeepAliveTimeout(http.getKeepAliveTimeout());
    connector.addUpgradeProtocol(http2);
    Thread.ofPlatform().daemon().name("certificates").start(this::watch);
  }

  void register(MeterRegistry meters) {
    Gauge.builder("stockroom.certificate.expiry", () -> expiry.getEpochSecond())
        .description("When the server's own certificate expires, as Unix time")
        .baseUnit("seconds")
        .register(meters);
  }

  private static SSLHostConfig host(KeyStore keys) {
    SSLHostConfig host = new SSLHostConfig();
    host.setProtocols("TLSv1.2+TLSv1.3");
    host.setCipherSuites(TLS_1_3);
    host.setCiphers(TLS_1_2);
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setCertificateKeystore(keys);
    certificate.setCertificateKeystorePassword(TlsFiles.STORE_PASSWORD);
    host.addCertificate(certificate);
    return host;
  }

  private void watch() {
    try {
      while (!closing.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        reload();
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private void reload() {
    try {
      byte[] content = files.content();
      if (!Arrays.equals(seen, content)) {
        seen = content;
        KeyStore keys = files.keyStore();
        http.addSslHostConfig(host(keys), true);
        expiry = TlsFiles.expiry(keys);
        log.info("Loaded the certificate in {}.", files.certificate());
      }
    } catch (StartException | IllegalArgumentException unusable) {
      log.warn("The certificate stays the previous one: {}", unusable.getMessage());
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
