package io.stockroom.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.database.StartException;
import io.stockroom.core.http.WebServer;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads replaced certificates without a restart. */
final class TlsServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TlsServer.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final TlsFiles files;
  private final WebServer web;
  private final CountDownLatch closing = new CountDownLatch(1);
  private byte[] seen;

  /** When the certificate in use expires. */
  private volatile Instant expiry;

  TlsServer(TlsFiles files, WebServer web, KeyStore keys) {
    this.files = files;
    this.web = web;
    this.seen = files.content();
    this.expiry = TlsFiles.expiry(keys);
    Thread.ofPlatform().daemon().name("certificates").start(this::watch);
  }

  void register(MeterRegistry meters) {
    Gauge.builder("stockroom.certificate.expiry", () -> expiry.getEpochSecond())
        .description("When the server's own certificate expires, as Unix time")
        .baseUnit("seconds")
        .register(meters);
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
        web.reload(keys);
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
