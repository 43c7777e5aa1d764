package io.stockroom.conformance;

import io.stockroom.core.settings.Settings;
import io.stockroom.demo.Demo;
import io.stockroom.demo.DemoSeeder;
import io.stockroom.server.Stockroom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The real server with the demo's marketplace, started once for all tests that need no new one; it
 * ends with the JVM. Its first merchant has no create rate limit, its third one has the interval
 * that the test sets. Each merchant lives in a cell of its own, the first one in the directory's
 * database.
 */
public final class JudgedServer {
  /** Long enough for two creates, so that the second can be too early. */
  static final Duration PACE = Duration.ofMillis(200);

  private static final JudgedServer ONLY = new JudgedServer(Map.of());

  private final Stockroom stockroom;
  private final List<DemoSeeder.Seeded> merchants;
  private final String foreignToken;

  private JudgedServer(Map<String, String> settings) {
    Map<String, String> all =
        new TreeMap<>(
            Map.of(
                "port", "0",
                "limits.create-interval", "PT0S",
                "limits.detail-per-day", "1000000",
                "limits.failed-authentications", "1000000"));
    all.putAll(settings);
    try {
      Path folder = Files.createTempDirectory("stockroom-conformance-");
      stockroom = Stockroom.start(folder, Settings.with(all));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stockroom, folder)));
      addCell(folder, "east");
      addCell(folder, "west");
      merchants = stockroom.demo().seed(stockroom.baseUrl());
      foreignToken = access(merchants.get(1).merchantId()).accesstoken();
    } catch (IOException | SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static JudgedServer get() {
    return ONLY;
  }

  /** Another one, which is a sandbox. */
  static JudgedServer sandbox() {
    return new JudgedServer(Map.of("sandbox", "true"));
  }

  /** For tests of commands: they create a merchant each. */
  public static Stockroom running() {
    return ONLY.stockroom;
  }

  /** A new application's access to the first merchant, which has no create rate limit. */
  Target quick() {
    return target(merchants.get(0), Duration.ZERO);
  }

  /** A new application's access to a merchant whose creates need this interval from now on. */
  Target paced(Duration pace) {
    setPace(merchants.get(2).merchantId(), pace);
    return target(merchants.get(2), pace);
  }

  /** A product of the first merchant with stock. */
  int stocked() {
    return merchants.get(0).stockedProductId();
  }

  /** A product of the first merchant that never gets stock. */
  int bare() {
    return merchants.get(0).bareProductId();
  }

  private Target target(DemoSeeder.Seeded merchant, Duration pace) {
    Demo.Access own = access(merchant.merchantId());
    DemoSeeder.Seeded other = merchants.get(1);
    int product = merchant.stockedProductId();
    int second = product + 1 == merchant.bareProductId() ? product + 2 : product + 1;
    return new Target(
        URI.create("http://127.0.0.1:" + stockroom.port()),
        own.appid(),
        own.secret(),
        own.accesstoken(),
        List.of(product, second),
        other.stockedProductId(),
        foreignToken,
        pace);
  }

  private Demo.Access access(int merchantId) {
    try {
      return stockroom.demo().newAccess(merchantId);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Moves the merchant with the interval from cell to cell until it is closed. */
  MovingMerchant moving() {
    int merchantId = merchants.get(2).merchantId();
    return new MovingMerchant(
        (method, body) ->
            administer(method, "/admin/merchants/%d/move".formatted(merchantId), body));
  }

  private void setPace(int merchantId, Duration pace) {
    administer(
        "PUT",
        "/admin/merchants/%d/limits".formatted(merchantId),
        "{\"limits.create-interval\":\"%s\"}".formatted(pace));
  }

  /** A database in the server's own PostgreSQL; new merchants go to the emptiest cell. */
  private void addCell(Path folder, String name) throws IOException, SQLException {
    String port = Files.readAllLines(folder.resolve("postgres/postmaster.pid")).get(3).strip();
    String password = Files.readString(folder.resolve("postgres.password")).strip();
    String url = "jdbc:postgresql://127.0.0.1:%s/%s".formatted(port, "%s?sslmode=disable");
    try (Connection connection =
            DriverManager.getConnection(url.formatted("stockroom"), "stockroom", password);
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    administer(
        "POST",
        "/admin/cells",
        """
        {"name":"%s","databaseUrl":"%s","databaseUser":"stockroom","databasePassword":"%s"}\
        """
            .formatted(name, url.formatted(name), password));
  }

  private String administer(String method, String path, String body) {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(stockroom.adminPort(), path));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + stockroom.operatorKey())
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      var answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new IllegalStateException(answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void end(Stockroom stockroom, Path folder) {
    stockroom.close();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
