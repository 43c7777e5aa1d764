package io.stockroom.console.visit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class ProxyWarningTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(ProxyWarning.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(log);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, '', 1",
    "'', '', 0",
    "10.0.0.0/8, https://stock.example, 0",
    "10.0.0.0/8, http://stock.example, 0"
  })
  void isGivenAtTheStartForAProxyWithoutBaseUrl(String proxies, String baseUrl, int warnings) {
    var _ =
        new ProxyWarning(Settings.with(Map.of("trusted-proxies", proxies, "base-url", baseUrl)));

    assertThat(messages()).hasSize(warnings);
    if (warnings > 0) {
      assertThat(messages().getFirst()).contains("base-url is not", "https://stock.example");
    }
  }

  @Test
  void isGivenOnceWhenAProxyForwardsHttps() {
    TestServer server = TestServer.with(Map.of("page-size", "7"));
    assertThat(messages()).isEmpty();

    open(server, "http");
    assertThat(messages()).isEmpty();
    open(server, "https");
    open(server, "https");

    assertThat(messages()).hasSize(1);
    assertThat(messages().getFirst()).contains("base-url", "not Secure");
  }

  @Test
  void isNotGivenIfBaseUrlBeginsWithHttps() {
    open(TestServer.with(Map.of("base-url", "https://stock.example")), "https");

    assertThat(messages()).isEmpty();
  }

  private static void open(TestServer server, String scheme) {
    assertThat(
            Pages.on(server).with("X-Forwarded-Proto", scheme).get("/console/sign-in").statusCode())
        .isEqualTo(200);
  }

  private List<String> messages() {
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
