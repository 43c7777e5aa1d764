package io.stockroom.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What the configuration of the log does to its lines. */
class LogTest {
  private static final String FORGED =
      "red\r\n2026-01-01T00:00:00.000Z ERROR forged\u001b[31m\u2028x";

  private Instant now = Instant.parse("2026-01-01T10:00:00Z");

  @Test
  void aMessageIsOneLineAndATraceIsIndented() throws JoranException {
    LoggerContext context = context();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogTest.class.getResource("/logback.xml"));
    OutputStreamAppender<ILoggingEvent> appender =
        (OutputStreamAppender<ILoggingEvent>) context.getLogger("ROOT").getAppender("stderr");
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    appender.setOutputStream(written);

    context.getLogger("io.stockroom.x").warn("color {}", FORGED, new IllegalStateException(FORGED));
    context.getLogger("io.stockroom.x").warn("tidy");

    List<String> lines = written.toString(UTF_8).lines().toList();
    assertThat(lines).filteredOn(line -> line.startsWith("20")).hasSize(2);
    assertThat(lines.getFirst()).endsWith("color red 2026-01-01T00:00:00.000Z ERROR forged [31m x");
    assertThat(lines.getLast()).endsWith("WARN  tidy");
    assertThat(lines.subList(1, lines.size() - 1))
        .allMatch(line -> line.startsWith("  "))
        .anyMatch(line -> line.contains("at " + LogTest.class.getName()));
    context.stop();
  }

  @Test
  void theSameWarningIsLoggedAFewTimesAMinuteAndTheRestIsCounted() {
    LoggerContext context = context();
    context.addTurboFilter(new RepeatedWarnings(new SetClock()));
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    context.getLogger("ROOT").addAppender(appender);
    Logger log = context.getLogger("io.stockroom.x");

    repeat(log, RepeatedWarnings.MAX_PER_WINDOW);
    assertThat(texts(appender)).hasSize(RepeatedWarnings.MAX_PER_WINDOW).endsWith("broken 10");
    repeat(log, 5);
    log.warn("another");
    log.error("worse");
    assertThat(texts(appender))
        .hasSize(RepeatedWarnings.MAX_PER_WINDOW + 3)
        .endsWith(
            "broken 10",
            "More warnings like the last one are counted, and not logged for up to 60 seconds.",
            "another",
            "worse");

    now = now.plus(Duration.ofSeconds(59));
    repeat(log, 1);
    assertThat(texts(appender)).endsWith("worse");
    now = now.plus(Duration.ofSeconds(1));
    repeat(log, 1);
    assertThat(texts(appender))
        .endsWith("worse", "6 more warnings like the next one were not logged.", "broken 1");
  }

  private static LoggerContext context() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  private static void repeat(Logger log, int times) {
    for (int i = 1; i <= times; i++) {
      log.warn("broken {}", i);
    }
  }

  private static List<String> texts(ListAppender<ILoggingEvent> appender) {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private final class SetClock extends Clock {
    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
