package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetriesTest {
  private static final String OK = "{\"success\":true,\"data\":[],\"msg\":\"\"}";

  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void close() {
    server.close();
  }

  private StockroomClient client(double chance) {
    return time.client(server, chance).build();
  }

  @ParameterizedTest
  @CsvSource({"429, CREATE_RATE, 50", "503, UNAVAILABLE, 250"})
  void waitsAsLongAsTheServerAsksPlusJitter(int status, String code, int jitterMillis) {
    server
        .rejection(status, "", code, "Retry-After: 3")
        .rejection(status, "", code, "Retry-After: 0")
        .json(200, OK);
    try (StockroomClient client = client(0.5)) {
      assertThat(client.stock(1)).isEmpty();
    }
    assertThat(time.waits())
        .containsExactly(Duration.ofMillis(3000 + jitterMillis), Duration.ofMillis(jitterMillis));
    assertThat(server.received())
        .extracting(received -> received.header("timestamp"))
        .as("each attempt has its own signature")
        .containsExactly("1800000000", "1800000003", "1800000003");
  }

  @Test
  void waitsUntilADateOfTheServersClock() {
    server
        .rejection(
            503,
            "",
            "UNAVAILABLE",
            "Date: Fri, 15 Jan 2027 08:00:00 GMT",
            "Retry-After: Fri, 15 Jan 2027 08:00:07 GMT")
        .json(200, OK);
    try (StockroomClient client = client(0)) {
      assertThat(client.stock(1)).isEmpty();
    }
    assertThat(time.waits()).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void backsOffExponentiallyWithoutRetryAfter() {
    for (int i = 0; i < 5; i++) {
      server.page(503, "text/html", "busy");
    }
    try (StockroomClient client = client(1)) {
      assertThatThrownBy(() -> client.stock(1))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("begins with: busy");
    }
    assertThat(time.waits())
        .containsExactly(
            Duration.ofMillis(1000),
            Duration.ofMillis(1500),
            Duration.ofMillis(2500),
            Duration.ofMillis(4500));
    assertThat(server.received()).hasSize(5);
  }

  @Test
  void givesUpAfterTheMaximumNumberOfRetries() {
    server.rejection(503, "", "UNAVAILABLE", "Retry-After: 1").json(200, OK);
    try (StockroomClient client = time.client(server, 0).retries(0).build()) {
      assertThatThrownBy(() -> client.stock(1)).isInstanceOf(ServerUnavailableException.class);
    }
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void waitsForTheRateLimitUntilTheBudgetIsUsedUp() {
    limited(20).json(200, OK);
    limited(21);
    try (StockroomClient client =
        time.client(server, 0).retries(0).rateLimitBudget(Duration.ofSeconds(40)).build()) {
      assertThat(client.stock(1)).as("20 waits of 2 seconds").isEmpty();
      RateLimitedException limited =
          catchThrowableOfType(RateLimitedException.class, () -> client.stock(1));
      assertThat(limited.retryAfter()).contains(Duration.ofSeconds(2));
    }
    assertThat(time.waits()).hasSize(40).containsOnly(Duration.ofSeconds(2));
    assertThat(server.received()).hasSize(42);
  }

  private ScriptedServer limited(int times) {
    for (int i = 0; i < times; i++) {
      server.rejection(429, "", "CREATE_RATE", "Retry-After: 2");
    }
    return server;
  }

  @Test
  void doesNotWaitForTheRateLimitWithoutABudget() {
    limited(1);
    try (StockroomClient client = time.client(server, 0).rateLimitBudget(Duration.ZERO).build()) {
      assertThatThrownBy(() -> client.stock(1)).isInstanceOf(RateLimitedException.class);
    }
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void waitsAtMostAMinute() {
    server.rejection(429, "", "CREATE_RATE", "Retry-After: 60").json(200, OK);
    server.rejection(429, "", "CREATE_RATE", "Retry-After: 61").json(200, OK);
    try (StockroomClient client = client(0)) {
      assertThat(client.stock(1)).isEmpty();
      assertThatThrownBy(() -> client.stock(1)).isInstanceOf(RateLimitedException.class);
    }
    assertThat(time.waits()).containsExactly(Duration.ofSeconds(60));
  }

  @Test
  void neverRetriesWrongCredentialsEvenWhenThrottled() {
    server.rejection(429, "headers", "AUTHENTICATION_THROTTLED", "Retry-After: 1");
    server.rejection(400, "headers", "CREDENTIALS_WRONG");
    try (StockroomClient client = client(0)) {
      assertThatThrownBy(() -> client.stock(1)).isInstanceOf(AuthenticationException.class);
      AuthenticationException wrong =
          catchThrowableOfType(AuthenticationException.class, () -> client.stock(1));
      assertThat(wrong.problems()).extracting(Problem::at).containsExactly("headers");
    }
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void adoptsTheServersTimeAfterARejectedTimestamp() {
    Instant servers = Instant.parse("2027-01-15T08:10:00Z");
    server
        .rejection(
            400, "headers.timestamp", "TIMESTAMP_WINDOW", "Date: Fri, 15 Jan 2027 08:10:00 GMT")
        .json(200, OK)
        .json(200, OK);
    try (StockroomClient client = client(0)) {
      assertThat(client.stock(1)).isEmpty();
      time.set(time.instant().plusSeconds(5));
      assertThat(client.stock(1)).isEmpty();
    }
    assertThat(server.received())
        .extracting(received -> Long.parseLong(received.header("timestamp")))
        .containsExactly(1_800_000_000L, servers.getEpochSecond(), servers.getEpochSecond() + 5);
    assertThat(time.waits()).isEmpty();
  }

  @Test
  void givesUpWhenTheServersTimeIsRejectedToo() {
    for (int i = 0; i < 2; i++) {
      server.rejection(
          400, "headers.timestamp", "TIMESTAMP_WINDOW", "Date: Fri, 15 Jan 2027 08:10:00 GMT");
    }
    try (StockroomClient client = client(0)) {
      assertThatThrownBy(() -> client.stock(1)).isInstanceOf(AuthenticationException.class);
    }
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void givesUpImmediatelyWithoutTheServersTime() {
    server.rejection(400, "headers.timestamp", "TIMESTAMP_WINDOW");
    try (StockroomClient client = client(0)) {
      assertThatThrownBy(() -> client.stock(1)).isInstanceOf(AuthenticationException.class);
    }
    assertThat(server.received()).hasSize(1);
  }
}
