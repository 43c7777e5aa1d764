package io.stockroom.lab.faults;

import io.stockroom.lab.faults.PostgresProxy.Loss;
import java.time.Duration;
import java.util.Random;

/**
 * The connection to the database breaks at COMMIT, before or after the database receives it. The
 * server cannot know which, so it must not report success; a retry of the same request must
 * succeed.
 */
final class LostCommits {
  private static final int ROUNDS_PER_MERCHANT = 500;
  private static final int MAX_RESENDS = 200;

  private LostCommits() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    report.watchSuccesses();
    Postgres postgres = Postgres.start(laboratory, "lost-commit-database");
    try (PostgresProxy proxy = PostgresProxy.before(laboratory, postgres)) {
      Server server = Server.outside(laboratory, "lost-commit", proxy.url()).start();
      Rounds course =
          new Rounds(laboratory, report, server::url, server.operator(), postgres::connect)
              .clients(1);
      Random random = laboratory.random();
      for (int round = 0; round < rounds; round++) {
        if (round % ROUNDS_PER_MERCHANT == 0) {
          course.check();
          course.settle();
          course.newMerchants();
        }
        course.stockUp();
        Merchant merchant = course.merchants().getFirst();
        lose(proxy, server, merchant, random, report);
        report.round();
      }
      course.check();
      course.settle();
      course.verifyTrail();
      server.leave();
    }
    postgres.leave();
  }

  private static void lose(
      PostgresProxy proxy, Server server, Merchant merchant, Random random, Report report) {
    int dice = random.nextInt(10);
    Intent intent = merchant.next(dice < 6 ? Kind.CREATE : dice < 8 ? Kind.PUBLISH : Kind.IMPORT);
    Loss loss = random.nextInt(3) == 0 ? Loss.REQUEST : Loss.REPLY;
    // with a terminator, so that I1 does not match I12-0
    String text = intent.kind() == Kind.IMPORT ? intent.key() + "-" : intent.key();
    proxy.arm(text, loss);
    Answer answer = merchant.send(server.url(), intent);
    String what =
        "%s %s of merchant %d, %s of COMMIT lost: response %d %s"
            .formatted(
                intent.kind(), intent.key(), merchant.id(), loss, answer.status(), answer.text());
    if (!proxy.hasStruck(text)) {
      report.fault("the COMMIT was not intercepted: " + what);
    } else if (answer.outcome(intent.kind()) == Outcome.ACKNOWLEDGED) {
      report.falseSuccess(what);
    } else if (answer.status() != 503) {
      report.fault("response other than 503: " + what);
    }
    long start = System.nanoTime();
    for (int i = 0; i < MAX_RESENDS; i++) {
      if (merchant.send(server.url(), intent).outcome(intent.kind()) == Outcome.ACKNOWLEDGED) {
        report.recovered(HttpCalls.millisSince(start));
        return;
      }
      Await.pause(Duration.ofMillis(10));
    }
    report.fault("a resend is never acknowledged: " + what);
  }
}
