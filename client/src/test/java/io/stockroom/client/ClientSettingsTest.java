package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientSettingsTest {
  private static final String EMPTY = "{\"success\":true,\"msg\":\"\",\"data\":[]}";
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "STOCKROOM_SERVER", "http://localhost:1",
          "STOCKROOM_APPID", "app_1",
          "STOCKROOM_SECRET", "secret",
          "STOCKROOM_TOKEN", "srt_token");

  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = time.client(server, 0).build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void readsTheEnvironment() {
    StockroomClient.builder().from(ENVIRONMENT::get).build().close();
    assertThatThrownBy(
            () ->
                StockroomClient.builder()
                    .from(name -> name.equals("STOCKROOM_TOKEN") ? " " : ENVIRONMENT.get(name)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The environment variable STOCKROOM_TOKEN is not set.");
  }

  @Test
  void asksForWhatIsMissing() {
    assertThatThrownBy(() -> StockroomClient.builder().address("http://localhost").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("credentials(Credentials.of(appid, secret, accesstoken))");
  }

  @Test
  void namesItself() {
    server.json(200, EMPTY);
    client.stock(1);
    assertThat(server.received().get(0).header("user-agent")).startsWith("stockroom-java/");
  }

  @Test
  void sendsThroughAProxy() {
    server.json(200, EMPTY);
    InetSocketAddress proxy =
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), URI.create(server.address()).getPort());
    try (StockroomClient behind =
        time.client("http://stock.example", 0).proxy(ProxySelector.of(proxy)).build()) {
      assertThat(behind.stock(1)).isEmpty();
    }
    assertThat(server.received().get(0).line()).startsWith("POST http://stock.example/Stock/List ");
  }

  @Test
  void endsACallAfterItsOwnTimeout() {
    server.silent("").silent("").silent("");
    StockroomClient patient = time.client(server, 0).retries(0).build();
    StockroomClient hasty = patient.withTimeout(Duration.ofMillis(50));
    assertThatThrownBy(() -> hasty.detail(1)).hasMessageContaining("within 0.05 seconds");
    assertThatThrownBy(
            () ->
                patient.adjust(
                    List.of(Adjustment.barCode("69").change(1)),
                    CallOptions.NONE.withTimeout(Duration.ofMillis(60))))
        .hasMessageContaining("within 0.06 seconds");
    patient.close();
    assertThatThrownBy(() -> hasty.stock(1)).hasMessageContaining("The client is closed");
    assertThatThrownBy(() -> CallOptions.NONE.withTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void returnsFutures() {
    server.json(200, EMPTY).rejection(500, "", "INTERNAL");
    assertThat(client.async().stock(1).join()).isEmpty();
    CompletionException failed =
        catchThrowableOfType(
            CompletionException.class, () -> client.async().call(other -> other.usage()).join());
    assertThat(failed).hasCauseInstanceOf(ServerErrorException.class);
  }

  @Test
  void everyExceptionHasACode() {
    server.rejection(500, "", "INTERNAL").page(200, "text/html", "<h1>hello</h1>").cut();
    assertThat(codeOfDetail()).isEqualTo("INTERNAL");
    assertThat(codeOfDetail()).isEqualTo("UNEXPECTED_ANSWER");
    assertThat(codeOfDetail()).isEqualTo("NO_ANSWER");
  }

  private String codeOfDetail() {
    return catchThrowableOfType(StockroomException.class, () -> client.detail(1)).code();
  }

  @Test
  void logsCallsAndRetriesWithoutSecrets() {
    List<String> lines = new ArrayList<>();
    Logger logger = Logger.getLogger("io.stockroom.client");
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            lines.add(new SimpleFormatter().formatMessage(entry));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    handler.setLevel(Level.ALL);
    logger.addHandler(handler);
    logger.setLevel(Level.FINE);
    try {
      server
          .page(503, "text/plain", "srt_token may not pass, says secret")
          .json(200, EMPTY, "X-Other: 1");
      client.stock(1);
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(null);
    }
    assertThat(lines)
        .anyMatch(line -> line.matches("POST /Stock/List: 200 in \\d+ ms, request r2"));
    assertThat(lines)
        .anyMatch(
            line -> line.contains("is sent again after:") && line.contains("*** may not pass"))
        .noneMatch(line -> line.contains("srt_token") || line.contains("secret"));
  }
}
