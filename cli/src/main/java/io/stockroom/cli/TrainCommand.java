package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;

import io.stockroom.client.Credentials;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code stockroom train}, for the launcher. With {@code -XX:AOTCacheOutput}, later starts and
 * first calls are fast.
 */
final class TrainCommand {
  private static final int CALLERS = 8;
  private static final String FORM = "application/x-www-form-urlencoded";

  /** The rate limits would end the training after a few calls. */
  private static final Map<String, String> UNLIMITED =
      Map.of(
          "port", "0",
          "limits.create-interval", "PT0S",
          "limits.detail-per-day", "1000000",
          "limits.store-products", "1000000");

  private TrainCommand() {}

  static CommandSpec make(Shell shell) {
    return CommandDefinition.local("train", TrainCommand::run)
        .does("Start a server in a temporary folder, call it thousands of times, and stop it.")
        .examples("java -XX:AOTCacheOutput=stockroom.aot -jar stockroom.jar train")
        .with(
            option("--rounds", "N", "How often each of 8 callers makes each call (default: 250).")
                .as(Integer.class),
            flag("--commands", "Run commands instead, for a cache that serves these."))
        .spec(shell);
  }

  private static int run(Given given) {
    if (given.has("--commands")) {
      CommandTraining.run();
      return 0;
    }
    try {
      Path folder = Files.createTempDirectory("stockroom-train");
      try (var server = Stockroom.start(folder, Settings.with(UNLIMITED))) {
        exercise(server, given.number("--rounds", 250));
      } finally {
        delete(folder);
      }
    } catch (IOException | SQLException failure) {
      throw CommandException.failed("The training run failed: " + failure.getMessage(), failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private static void exercise(Stockroom server, int rounds)
      throws IOException, SQLException, InterruptedException {
    String url = server.baseUrl();
    var merchant = server.demo().seed(url).getFirst();
    var access = server.demo().newAccess(merchant.merchantId());
    Credentials credentials =
        new Credentials(access.appid(), access.secret(), access.accesstoken());
    int stocked = merchant.stockedProductId();
    String create =
        "[{\"color\":\"red\",\"pid\":%d,\"param\":[{\"size\":\"36-40\",\"stock\":5}]}]"
            .formatted(merchant.bareProductId());
    try (HttpClient client = HttpClient.newHttpClient()) {
      // concurrently, so the training covers the code for concurrent callers as well
      try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int caller = 0; caller < CALLERS; caller++) {
          callers.execute(
              () -> {
                for (int i = 0; i < rounds; i++) {
                  call(client, credentials, url + "/Stock/Product", FORM, "page=1");
                  call(client, credentials, url + "/Stock/Product", FORM, "page=1&stock=true");
                  call(client, credentials, url + "/Stock/List", FORM, "productid=" + stocked);
                  call(client, credentials, url + "/Product/Detail", FORM, "pid=" + stocked);
                  call(client, credentials, url + "/Stock/Creat", "application/json", create);
                }
              });
        }
      }
      String link = url + server.demo().merchantLink(merchant.merchantId());
      for (String page : new String[] {url + "/console/sign-in", link}) {
        client.send(
            HttpRequest.newBuilder(URI.create(page)).build(),
            HttpResponse.BodyHandlers.discarding());
      }
      HttpRequest health =
          HttpRequest.newBuilder(
                  URI.create("http://localhost:%d/health/ready".formatted(server.adminPort())))
              .build();
      client.send(health, HttpResponse.BodyHandlers.discarding());
    }
  }

  private static void call(
      HttpClient client, Credentials credentials, String url, String type, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    credentials.headers(Instant.now()).forEach(request::header);
    try {
      client.send(request.build(), HttpResponse.BodyHandlers.discarding());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    }
  }
}
