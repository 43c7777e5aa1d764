package io.stockroom.testkit;

import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A real Stockroom server with its own PostgreSQL, on a free loopback port, in a folder that is
 * deleted when it is closed.
 *
 * <pre>{@code
 * try (var server = StockroomServer.start()) {
 *   var client = server.merchant("Acme").client();
 * }
 * }</pre>
 *
 * <p>Starting takes some seconds, so share one between tests and create a merchant for each test. A
 * server that is never closed ends with the JVM.
 */
public final class StockroomServer implements AutoCloseable {
  private final Stockroom stockroom;
  private final Path folder;
  private final Operator operator;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread atExit = new Thread(this::end, "stockroom-testkit-end");

  private StockroomServer(Stockroom stockroom, Path folder) {
    this.stockroom = stockroom;
    this.folder = folder;
    this.operator = new Operator(adminAddress(), stockroom.operatorKey());
  }

  /**
   * Starts a server with the default settings, but without rate limits for creates and adjustments.
   *
   * @return the running server; close it when you are done
   */
  public static StockroomServer start() {
    return start(Map.of());
  }

  /**
   * Starts a server with further settings on top of those of {@link #start()}, by the names that
   * {@code stockroom settings} lists: {@code Map.of("limits.create-interval", "PT2S", "page-size",
   * "3")}.
   *
   * @param settings the settings that differ
   * @return the running server; close it when you are done
   */
  public static StockroomServer start(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("port", "0");
    all.put("limits.create-interval", "PT0S");
    all.put("limits.adjust-per-second", "0");
    all.putAll(settings);
    Settings checked = Settings.with(all);
    Path folder = newFolder();
    Stockroom stockroom;
    try {
      stockroom = Stockroom.start(folder, checked);
    } catch (RuntimeException | Error failed) {
      delete(folder);
      throw failed;
    }
    StockroomServer server = new StockroomServer(stockroom, folder);
    Runtime.getRuntime().addShutdownHook(server.atExit);
    return server;
  }

  /** {@return the URL that a client connects to, such as {@code http://127.0.0.1:40123}} */
  public String address() {
    return "http://127.0.0.1:" + stockroom.port();
  }

  /**
   * {@return the URL of the admin port, which serves the operator's API under {@code /admin},
   * health and metrics}
   */
  public String adminAddress() {
    return "http://127.0.0.1:" + stockroom.adminPort();
  }

  /**
   * {@return the key of the operator's API under {@code /admin}, for calls that this class has no
   * method for}
   */
  public String operatorKey() {
    return stockroom.operatorKey();
  }

  /**
   * Creates a merchant with an application that has all permissions.
   *
   * @param name the merchant's name; also the name of its store
   * @return the merchant
   */
  public TestMerchant merchant(String name) {
    JsonNode merchant =
        operator.create(
            "/admin/merchants",
            Map.of("name", name, "storeUrl", "store" + System.nanoTime(), "storeName", name));
    JsonNode application =
        operator.create("/admin/applications", Map.of("name", "Test of " + name));
    return new TestMerchant(
        this,
        operator,
        merchant.get("merchantId").asInt(),
        application.get("appid").asString(),
        application.get("secret").asString());
  }

  /** Stops the server and its database, and deletes their folder. */
  @Override
  public void close() {
    end();
    try {
      var _ = Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException exiting) {
      // the JVM is shutting down; the hook has nothing left to do
    }
  }

  private void end() {
    if (closed.compareAndSet(false, true)) {
      try {
        operator.close();
        stockroom.close();
      } finally {
        delete(folder);
      }
    }
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("stockroom-testkit-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
