package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The clock of one of two nodes jumps back and forth; the database's clock is right. */
final class ClockSteps {
  private static final int WINDOW_SECONDS = 300;
  private static final int[] STEPS = {0, 290, 400, -400, -290, 86_400, -86_400};

  /** libfaketime rereads its offset once a second, and the node dates responses by it. */
  private static final Duration MAX_STEP = Duration.ofSeconds(15);

  private static final int MAX_RESENDS = 100;

  private final Server right;
  private final Server wrong;
  private final Merchant merchant;
  private final Postgres postgres;
  private final Report report;
  private int fetched;

  private ClockSteps(
      Server right, Server wrong, Merchant merchant, Postgres postgres, Report report) {
    this.right = right;
    this.wrong = wrong;
    this.merchant = merchant;
    this.postgres = postgres;
    this.report = report;
  }

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    String library =
        libfaketime()
            .orElseThrow(
                () ->
                    new Experiment.Skipped(
                        "libfaketime is not installed (Debian: apt install faketime)"))
            .toString();
    Postgres postgres = Postgres.start(laboratory, "clock-database");
    String url = Postgres.url("127.0.0.1:" + postgres.port());
    Path offset = laboratory.newFolder("clock").resolve("offset");
    step(offset, 0);
    Server right = strict(Server.outside(laboratory, "clock-right", url)).start();
    Server wrong =
        strict(Server.outside(laboratory, "clock-wrong", url))
            .variable("LD_PRELOAD", library)
            .variable("FAKETIME_TIMESTAMP_FILE", offset.toString())
            .variable("FAKETIME_CACHE_DURATION", "1")
            .variable("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .variable("DONT_FAKE_MONOTONIC", "1")
            .start();
    Merchant merchant = Merchant.make(right.operator(), laboratory.newFolder("journals"));
    try (Connection connection = postgres.connect()) {
      merchant.stockUp(right.operator(), connection);
    }
    ClockSteps steps = new ClockSteps(right, wrong, merchant, postgres, report);
    for (int round = 0; round < rounds; round++) {
      for (int seconds : STEPS) {
        step(offset, seconds);
        awaitStep(wrong, seconds);
        steps.check(seconds);
      }
      report.round();
    }
    right.stop();
    wrong.stop();
    postgres.stop();
  }

  private static Server strict(Server server) {
    return server
        .set("timestamp-window", "PT" + WINDOW_SECONDS + "S")
        .set("limits.create-interval", "PT6S");
  }

  private static Optional<Path> libfaketime() throws IOException {
    try (Stream<Path> files = Files.find(Path.of("/usr/lib"), 3, ClockSteps::isLibfaketime)) {
      return files.findFirst();
    }
  }

  private static boolean isLibfaketime(Path path, Object attributes) {
    return path.endsWith("faketime/libfaketimeMT.so.1");
  }

  private static void step(Path file, int seconds) throws IOException {
    Path next = Files.writeString(file.resolveSibling("next"), "%+ds\n".formatted(seconds));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void awaitStep(Server node, int seconds) {
    Await.until(
        MAX_STEP,
        "the clock to change",
        () -> {
          long now = Instant.now().getEpochSecond();
          return Math.abs(node.secondsOfDate() - now - seconds) <= 2;
        });
  }

  private void check(int seconds) throws Exception {
    boolean inWindow = Math.abs(seconds) <= WINDOW_SECONDS;
    expect("right node, right time", detail(right, 0), true, seconds);
    expect("wrong node, right time", detail(wrong, 0), inWindow, seconds);
    expect("wrong node, its own time", detail(wrong, seconds), true, seconds);
    String used =
        postgres.text(
            "select used from detail_usage where merchant_id = %d".formatted(merchant.id()));
    if (!used.equals(Integer.toString(fetched))) {
      report.fault("%+d s: details charged %s, given %d".formatted(seconds, used, fetched));
    }
    // the rate limit uses the database's clock, so the second create is too early on any node
    Answer first = create(right, 0);
    for (int again = 0; again < MAX_RESENDS && first.status() == 429; again++) {
      Await.pause(Duration.ofMillis(200));
      first = create(right, 0);
    }
    // signed a second later, because the server identifies a create by its second
    Answer second = create(wrong, seconds + 1);
    if (first.status() != 200 || second.status() != 429) {
      report.fault(
          "%+d s: creates in a row were answered %d and %d, not 200 and 429"
              .formatted(seconds, first.status(), second.status()));
    }
    report.counted(1, 0);
  }

  private void expect(String what, Answer answer, boolean accepted, int seconds) {
    boolean done = answer.outcome(Kind.DETAIL) == Outcome.ACKNOWLEDGED;
    fetched += done ? 1 : 0;
    report.counted(done ? 1 : 0, 0);
    if (done != accepted || (!done && !answer.text().contains("TIMESTAMP_WINDOW"))) {
      report.fault(
          "%+d s, %s: answered %d %s".formatted(seconds, what, answer.status(), answer.text()));
    }
  }

  private Answer detail(Server node, int seconds) {
    Intent intent = merchant.next(Kind.DETAIL);
    return HttpCalls.post(
        node.url() + "/Product/Detail", headers(seconds), HttpCalls.FORM, intent.body());
  }

  private Answer create(Server node, int seconds) {
    Intent intent = merchant.next(Kind.CREATE);
    return HttpCalls.post(
        node.url() + "/Stock/Creat", headers(seconds), HttpCalls.JSON, intent.body());
  }

  private Map<String, String> headers(int seconds) {
    Credentials credentials = merchant.credentials();
    return credentials.headers(Instant.now().plusSeconds(seconds));
  }
}
