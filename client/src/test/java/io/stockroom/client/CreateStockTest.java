package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.client.CreateBatch.Outcome;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.SizeItem;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CreateStockTest {
  private static final String OK = "{\"success\":true,\"msg\":\"\"}";
  private static final String[] PACED = {
    "RateLimit-Policy: \"create\";q=1;w=2", "RateLimit: \"create\";r=0;t=2"
  };

  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = time.client(server, 0).build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static ColorGroup group(int pid) {
    return new ColorGroup("red", pid, List.of(SizeItem.of("36-40", 20)));
  }

  private static Stream<ColorGroup> groups(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(CreateStockTest::group);
  }

  private IncompleteCreateException incomplete(Stream<ColorGroup> groups) {
    IncompleteCreateException thrown =
        catchThrowableOfType(IncompleteCreateException.class, () -> client.createStock(groups));
    assertThat(thrown).as("an incomplete create").isNotNull();
    return thrown;
  }

  private List<String> timestamps() {
    return server.received().stream().map(received -> received.header("timestamp")).toList();
  }

  @Test
  void writesGroupsAsDocumented() {
    server.json(200, OK);
    client.createStock(
        List.of(
            new ColorGroup(
                "red",
                1,
                List.of(SizeItem.of("36-40", 20), SizeItem.of("41", 5, "6901234567892")))));
    assertThat(server.received().get(0).path()).isEqualTo("/Stock/Creat");
    assertThat(server.received().get(0).header("content-type")).isEqualTo("application/json");
    assertThat(server.received().get(0).body())
        .isEqualTo(
            "[{\"color\":\"red\",\"pid\":1,\"param\":[{\"size\":\"36-40\",\"stock\":20},"
                + "{\"size\":\"41\",\"stock\":5,\"barCode\":\"6901234567892\"}]}]");
  }

  @Test
  void sendsTheNext300GroupsAfterTwoSeconds() {
    server.json(200, OK, PACED).json(200, OK, PACED);
    List<CreateBatch> told = new ArrayList<>();
    CreateReport report = client.createStock(groups(301), told::add);
    assertThat(report.created()).isEqualTo(301);
    assertThat(report.batches())
        .containsExactly(
            new CreateBatch(0, 0, 300, Outcome.CREATED, "r1", null),
            new CreateBatch(1, 300, 1, Outcome.CREATED, "r2", null))
        .isEqualTo(told);
    assertThat(time.waits()).containsExactly(Duration.ofMillis(2250));
    assertThat(timestamps()).containsExactly("1800000000", "1800000002");
  }

  @Test
  void sendsThreeHundredGroupsInOneRequest() {
    server.json(200, OK, PACED);
    assertThat(client.createStock(groups(300)).batches()).hasSize(1);
  }

  @Test
  void waitsAsLongAsTheServerAsks() {
    String[] free = {"RateLimit-Policy: \"create\";q=1", "RateLimit: \"create\";r=1;t=0"};
    String[] slow = {"RateLimit-Policy: \"create\";q=1;w=9", "RateLimit: \"create\";r=0;t=9"};
    server.json(200, OK, free).json(200, OK, slow).json(200, OK);
    client.createStock(groups(900));
    assertThat(time.waits()).containsExactly(Duration.ofMillis(9250));
    assertThat(timestamps()).containsExactly("1800000000", "1800000000", "1800000009");
  }

  @Test
  void keepsTheRateLimitBetweenCalls() {
    server.json(200, OK).json(200, OK);
    client.createStock(groups(1));
    client.createStock(groups(1));
    assertThat(time.waits()).containsExactly(Duration.ofMillis(2250));
  }

  @Test
  void splitsRequestsAt10000Entries() {
    List<ColorGroup> wide =
        IntStream.rangeClosed(1, 101)
            .mapToObj(pid -> new ColorGroup("red", pid, List.of(SizeItem.of("1-100", 1))))
            .toList();
    server.json(200, OK).json(200, OK);
    assertThat(client.createStock(wide).batches())
        .extracting(CreateBatch::groups)
        .containsExactly(100, 1);
  }

  @Test
  void resendsTheRequestWithItsKeyAfterALostResponse() {
    server.cut().page(504, "text/html", "late").page(200, "text/plain", "").json(200, OK);
    CreateReport report = client.createStock(groups(2));
    assertThat(report.created()).isEqualTo(2);
    assertThat(report.batches().get(0).requestId()).isEqualTo("r4");
    assertThat(server.received()).hasSize(4);
    assertThat(server.received())
        .extracting(received -> received.header("idempotency-key") + received.body())
        .containsOnly(
            server.received().get(0).header("idempotency-key") + server.received().get(0).body());
  }

  @Test
  void givesEveryBatchAKeyOfItsOwn() {
    server.json(200, OK).json(200, OK);
    client.createStock(groups(301));
    assertThat(server.received())
        .extracting(received -> received.header("idempotency-key"))
        .doesNotHaveDuplicates()
        .allMatch(key -> key.length() == 36);
  }

  @Test
  void reportsAnUnknownOutcomeWithoutAResponse() {
    for (int i = 0; i < 5; i++) {
      server.cut();
    }
    IncompleteCreateException thrown = incomplete(groups(700));
    assertThat(thrown.report().batches())
        .extracting(CreateBatch::outcome)
        .containsExactly(Outcome.UNKNOWN);
    assertThat(thrown)
        .hasMessageContaining("0 of 1 batches (0 color groups) were created.")
        .hasMessageContaining("Later groups were not sent.")
        .hasCauseInstanceOf(NoAnswerException.class);
    assertThat(server.received()).hasSize(5);
  }

  @Test
  void keepsTheOutcomeUnknownWhenTheResentRequestFailsForAnotherReason() {
    server.cut().rejection(400, "headers.accesstoken", "TOKEN_REVOKED");
    assertThat(incomplete(groups(1)).report().batches())
        .extracting(CreateBatch::outcome)
        .containsExactly(Outcome.UNKNOWN);
  }

  @Test
  void acceptsARejectionOfTheContentAfterALostResponse() {
    server.cut().json(200, "{\"success\":false,\"msg\":\"The product does not exist: 1.\"}");
    assertThat(incomplete(groups(1)).report().batches())
        .extracting(CreateBatch::outcome)
        .containsExactly(Outcome.REJECTED);
  }

  @Test
  void continuesAfterARejectedBatchAndReportsIt() {
    server
        .json(200, OK)
        .json(
            200,
            "{\"success\":false,\"msg\":\"The product does not exist: 301.\"}",
            "X-Error-Code: PRODUCT_MISSING")
        .json(200, OK);
    IncompleteCreateException thrown = incomplete(groups(700));
    CreateReport report = thrown.report();
    assertThat(report.created()).isEqualTo(400);
    assertThat(report.failed())
        .singleElement()
        .satisfies(
            batch -> {
              assertThat(batch.firstGroup()).isEqualTo(300);
              assertThat(batch.outcome()).isEqualTo(Outcome.REJECTED);
              assertThat(batch.requestId()).isEqualTo("r2");
              assertThat(batch.failure()).isInstanceOf(NotFoundException.class);
            });
    assertThat(thrown)
        .hasMessageContaining("2 of 3 batches (400 color groups) were created.")
        .hasMessageContaining(
            "Batch 1, from group 300 on, is REJECTED: The product does not exist: 301")
        .hasNoCause();
  }

  @Test
  void stopsAfterAFailureThatWouldHitEveryBatch() {
    server.rejection(400, "headers", "CREDENTIALS_WRONG");
    IncompleteCreateException thrown = incomplete(groups(700));
    assertThat(thrown).hasCauseInstanceOf(AuthenticationException.class);
    assertThat(thrown.report().batches())
        .extracting(CreateBatch::outcome)
        .containsExactly(Outcome.REJECTED);
  }

  @Test
  void waitsWhenAnotherProgramUsedTheRateLimit() {
    server.rejection(429, "", "CREATE_RATE", "Retry-After: 2").json(200, OK);
    assertThat(client.createStock(groups(1)).created()).isEqualTo(1);
    assertThat(time.waits()).containsExactly(Duration.ofSeconds(2));
    assertThat(timestamps()).containsExactly("1800000000", "1800000002");
  }

  @Test
  void retriesUntilTheRateLimitBudgetIsUsedUp() {
    for (int i = 0; i < 31; i++) {
      server.rejection(429, "", "CREATE_RATE", "Retry-After: 2");
    }
    assertThat(incomplete(groups(1))).hasCauseInstanceOf(RateLimitedException.class);
    assertThat(time.waits()).as("a minute in all").hasSize(30);
    for (int i = 0; i < 30; i++) {
      server.rejection(429, "", "CREATE_RATE", "Retry-After: 2");
    }
    server.json(200, OK);
    assertThat(client.createStock(groups(1)).created()).isEqualTo(1);
  }

  @Test
  void yieldsLongerWhileOtherProgramsCreate() {
    server.rejection(429, "", "CREATE_RATE", "Retry-After: 1").json(200, OK).json(200, OK);
    client.createStock(groups(600));
    assertThat(time.waits()).containsExactly(Duration.ofSeconds(1), Duration.ofMillis(2700));
    time.set(time.instant().plusSeconds(20));
    server.json(200, OK).json(200, OK);
    client.createStock(groups(600));
    assertThat(time.waits()).last().isEqualTo(Duration.ofMillis(2250));
  }

  @Test
  void keepsTheKeyOfALostRequestThroughTheRateLimit() {
    server.cut().rejection(429, "", "CREATE_RATE", "Retry-After: 2").json(200, OK);
    assertThat(client.createStock(groups(1)).created()).isEqualTo(1);
    assertThat(server.received())
        .hasSize(3)
        .extracting(received -> received.header("idempotency-key"))
        .containsOnly(server.received().get(0).header("idempotency-key"));
  }

  @Test
  void reportsNoUnknownOutcomeWhenNothingWasSent() throws IOException {
    try (Unreachable nowhere = new Unreachable();
        StockroomClient lost = time.client(nowhere.address(), 0).build()) {
      IncompleteCreateException thrown =
          catchThrowableOfType(IncompleteCreateException.class, () -> lost.createStock(groups(1)));
      assertThat(thrown.report().batches())
          .extracting(CreateBatch::outcome)
          .containsExactly(Outcome.REJECTED);
    }
    assertThat(time.waits()).hasSize(4);
  }

  @Test
  void correctsTheClock() {
    server
        .rejection(
            400, "headers.timestamp", "TIMESTAMP_WINDOW", "Date: Fri, 15 Jan 2027 07:00:00 GMT")
        .json(200, OK);
    assertThat(client.createStock(groups(1)).created()).isEqualTo(1);
    assertThat(timestamps()).containsExactly("1800000000", "1799996400");
  }

  @Test
  void correctsTheClockOnceAlsoAfterALostResponse() {
    server.cut();
    for (int i = 0; i < 2; i++) {
      server.rejection(
          400, "headers.timestamp", "TIMESTAMP_WINDOW", "Date: Fri, 15 Jan 2027 07:00:00 GMT");
    }
    assertThat(incomplete(groups(1)).report().batches())
        .extracting(CreateBatch::outcome)
        .containsExactly(Outcome.UNKNOWN);
    assertThat(timestamps()).hasSize(3).last().isEqualTo("1799996400");
  }

  @Test
  void rejectsARepeatedEntryBeforeSendingWithTheServersMessage() {
    List<ColorGroup> repeated =
        List.of(group(1), new ColorGroup("red", 1, List.of(SizeItem.of("40-41", 1))), group(2));
    CreateBatch batch = incomplete(repeated.stream()).report().batches().get(0);
    assertThat(batch.failure())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "[1].param[0]: Product 1, color \"red\", size 40 already occurs at [0].param[0];"
                + " send each color and size once.");
    assertThat(batch.requestId()).isNull();
    assertThat(server.received()).isEmpty();
    try (StockroomClient chinese = time.client(server, 0).language(Language.CHINESE).build()) {
      IncompleteCreateException thrown =
          catchThrowableOfType(
              IncompleteCreateException.class, () -> chinese.createStock(repeated));
      assertThat(thrown).hasMessageContaining("[0].param[0]").hasMessageContaining("尺码");
    }
  }

  @Test
  void reportsWhatWasCreatedWhenTheStreamFails() {
    server.json(200, OK);
    IncompleteCreateException thrown =
        incomplete(
            groups(400)
                .map(group -> group.pid() < 400 ? group : new ColorGroup(" ", 1, group.param())));
    assertThat(thrown)
        .hasMessageContaining("the source or its listener failed")
        .hasMessageContaining("The text is empty");
    assertThat(thrown.report().created()).isEqualTo(300);
  }

  @Test
  void readsNoMoreFromTheStreamThanItSends() {
    server.rejection(400, "headers", "CREDENTIALS_WRONG");
    AtomicInteger taken = new AtomicInteger();
    incomplete(Stream.generate(() -> group(taken.incrementAndGet())).limit(10_000));
    assertThat(taken.get()).isEqualTo(300);
  }

  @Test
  void closesAnEmptyStreamAndSendsNothing() {
    AtomicInteger closed = new AtomicInteger();
    CreateReport report =
        client.createStock(Stream.<ColorGroup>empty().onClose(closed::incrementAndGet));
    assertThat(report.batches()).isEmpty();
    assertThat(closed.get()).isEqualTo(1);
    assertThat(server.received()).isEmpty();
  }
}
