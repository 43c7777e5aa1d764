package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Operator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The steps of most experiments: clients work, the fault strikes at a random time, the clients see
 * the service recover; then the clients stop, the oracle checks, unknown requests are resent, and
 * the oracle checks again.
 */
final class Rounds {
  private static final int MERCHANTS = 4;
  private static final int FEW_MERCHANTS = 2;

  /** New merchants start after so many rounds or requests, so that checks stay fast. */
  private static final int ROUNDS_PER_MERCHANT = 20;

  private static final int REQUESTS_PER_MERCHANT = 500;
  private static final Duration MAX_RECOVERY = Duration.ofSeconds(90);
  private static final int MAX_RESENDS = 400;

  /** Breaks something, and repairs it if it does not recover by itself. */
  interface Fault {
    void strike() throws Exception;
  }

  private final Laboratory laboratory;
  private final Report report;
  private final Supplier<String> url;
  private final Operator operator;
  private final Supplier<DirectSql> database;
  private final Path journals;
  private int clientCount;
  private String cell = "main";
  private List<Merchant> merchants = List.of();

  Rounds(
      Laboratory laboratory,
      Report report,
      Supplier<String> url,
      Operator operator,
      Supplier<DirectSql> database) {
    this.laboratory = laboratory;
    this.report = report;
    this.url = url;
    this.operator = operator;
    this.database = database;
    this.journals = laboratory.newFolder("journals");
    this.clientCount = laboratory.brief() ? FEW_MERCHANTS : MERCHANTS;
  }

  Rounds clients(int count) {
    clientCount = count;
    return this;
  }

  /** Makes the merchants in another cell; the oracle's database must be that of the cell. */
  Rounds in(String itsCell) {
    cell = itsCell;
    return this;
  }

  void run(int rounds, Fault fault) throws Exception {
    run(rounds, fault, () -> {});
  }

  /** The recovery is timed from the end of the fault; the repair is a part of it. */
  void run(int rounds, Fault fault, Fault repair) throws Exception {
    Random random = laboratory.random();
    for (int round = 0; round < rounds; round++) {
      if (round % ROUNDS_PER_MERCHANT == 0
          || merchants.stream().anyMatch(each -> each.requests() > REQUESTS_PER_MERCHANT)) {
        newMerchants();
      }
      stockUp();
      Clients clients = new Clients(laboratory, merchants, url);
      clients.awaitAcknowledged(clientCount);
      Await.pause(Duration.ofMillis(random.nextInt(300)));
      fault.strike();
      clients.mark();
      repair.strike();
      report.recovered(clients.awaitSuccess(MAX_RECOVERY));
      Await.pause(Duration.ofMillis(random.nextInt(50)));
      clients.stop();
      check();
      report.rounds(1);
    }
    end();
  }

  /** Replaces the merchants. */
  List<Merchant> newMerchants() {
    settle();
    merchants = new ArrayList<>();
    for (int i = 0; i < clientCount; i++) {
      merchants.add(new Merchant(operator.at(url.get()), journals, cell));
    }
    return merchants;
  }

  List<Merchant> merchants() {
    return merchants;
  }

  void stockUp() {
    merchants.forEach(each -> each.stockUp(operator.at(url.get()), database.get()));
  }

  /** Checks, resends unknown requests, and checks again. */
  void check() {
    for (Merchant merchant : merchants) {
      report.slowest(millis(merchant));
      Oracle.Snapshot before = Oracle.look(database.get(), merchant, report);
      sendAgain(merchant);
      Oracle.compare(merchant, before, Oracle.look(database.get(), merchant, report), report);
    }
  }

  /** A resend must converge: it is eventually acknowledged. */
  private void sendAgain(Merchant merchant) {
    for (Journal.Entry entry : Journal.read(merchant.journalFile()).values()) {
      Intent intent = entry.intent();
      if (entry.outcome() != Outcome.UNKNOWN || !intent.kind().repeatable()) {
        continue;
      }
      Outcome outcome = Outcome.UNKNOWN;
      for (int i = 0; i < MAX_RESENDS && outcome == Outcome.UNKNOWN; i++) {
        Await.pause(Duration.ofMillis(i == 0 ? 0 : 50));
        outcome = intent.kind().outcome(merchant.send(url.get(), intent));
      }
      if (outcome != Outcome.ACKNOWLEDGED) {
        report.fault(
            "%s %s of merchant %d does not converge: the resend is %s"
                .formatted(intent.kind(), intent.key(), merchant.id(), outcome));
      }
    }
  }

  /** Counts the outcomes of the current merchants. */
  private void settle() {
    for (Merchant merchant : merchants) {
      merchant.close();
      var entries = Journal.read(merchant.journalFile()).values();
      report.counted(
          entries.stream().filter(each -> each.outcome() == Outcome.ACKNOWLEDGED).count(),
          // unknown even if a resend has settled it since
          entries.stream()
              .filter(each -> each.sends() > 1 || each.outcome() == Outcome.UNKNOWN)
              .count());
    }
    merchants = List.of();
  }

  /** Counts, and checks the hash chain of the audit log. */
  void end() {
    settle();
    Answer answer = operator.at(url.get()).post("/admin/audit/verify", "");
    if (answer.status() != 200 || !answer.text().contains("\"intact\":true")) {
      report.fault("the audit log is broken: " + answer.text());
    }
  }

  /** The longest answer to each request, except imports, which respond when they are done. */
  private static Collection<Double> millis(Merchant merchant) {
    return Journal.read(merchant.journalFile()).values().stream()
        .filter(entry -> entry.intent().kind() != Kind.IMPORT)
        .map(Journal.Entry::longestMillis)
        .toList();
  }
}
