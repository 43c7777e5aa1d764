package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.HttpCalls;
import io.stockroom.lab.Server;
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

  static void run(Stage stage, int rounds, Report report) {
    Rounds course = stage.rounds(report).clients(1);
    for (int round = 0; round < rounds; round++) {
      if (round % ROUNDS_PER_MERCHANT == 0) {
        course.check();
        course.newMerchants();
      }
      course.stockUp();
      lose(stage, course.merchants().getFirst(), report);
      report.rounds(1);
    }
    course.check();
    course.end();
  }

  private static void lose(Stage stage, Merchant merchant, Report report) {
    Random random = stage.laboratory().random();
    PostgresProxy proxy = stage.proxy();
    Server server = stage.nodes().getFirst();
    Kind[] kinds = {Kind.CREATE, Kind.CREATE, Kind.IMPORT};
    Intent intent = merchant.next(kinds[random.nextInt(kinds.length)]);
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
    } else if (intent.kind().outcome(answer) == Outcome.ACKNOWLEDGED) {
      report.add(Report.Finding.FALSE, what);
    } else if (answer.status() != 503) {
      report.fault("response other than 503: " + what);
    }
    long start = System.nanoTime();
    for (int i = 0; i < MAX_RESENDS; i++) {
      Answer again = merchant.send(server.url(), intent);
      if (intent.kind().outcome(again) == Outcome.ACKNOWLEDGED) {
        report.recovered(HttpCalls.millisSince(start));
        return;
      }
      Await.pause(Duration.ofMillis(10));
    }
    report.fault("a resend is never acknowledged: " + what);
  }
}
