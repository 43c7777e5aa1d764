package io.stockroom.lab.faults;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
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

  /** New merchants start after this many rounds or requests, so that checks stay fast. */
  private static final int ROUNDS_PER_MERCHANT = 20;

  private static final int REQUESTS_PER_MERCHANT = 500;

  private static final Duration MAX_RECOVERY = Duration.ofSeconds(90);
  private static final int MAX_RESENDS = 400;

  /** Breaks something, and repairs it if it does not recover by itself. */
  interface Fault {
    /**
     * Strikes once.
     *
     * @param over called when the service may recover
     */
    void strike(Runnable over) throws Exception;
  }

  /** Opens a direct connection to the database. */
  interface DatabaseSource {
    Connection open() throws SQLException;
  }

  private final Laboratory laboratory;
  private final Report report;
  private final Supplier<String> url;
  private final Operator operator;
  private final DatabaseSource database;
  private final Path journals;
  private int clientCount;
  private String cell = "main";
  private List<Merchant> merchants = List.of();

  Rounds(
      Laboratory laboratory,
      Report report,
      Supplier<String> url,
      Operator operator,
      DatabaseSource database) {
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

  /** Makes the merchants in another cell; the oracle's connection must be to its database. */
  Rounds in(String itsCell) {
    cell = itsCell;
    return this;
  }

  /** Runs after each round, while nothing is broken and no client is active. */
  interface AfterRound {
    void run() throws Exception;
  }

  void run(int rounds, Fault fault) throws Exception {
    run(rounds, fault, () -> {});
  }

  void run(int rounds, Fault fault, AfterRound afterwards) throws Exception {
    Random random = laboratory.random();
    for (int round = 0; round < rounds; round++) {
      if (round % ROUNDS_PER_MERCHANT == 0 || merchants.stream().anyMatch(Rounds::isFull)) {
        settle();
        newMerchants();
      }
      stockUp();
      Clients clients = Clients.start(laboratory, merchants, url);
      clients.awaitAcknowledged(clientCount);
      Await.pause(Duration.ofMillis(random.nextInt(300)));
      fault.strike(clients::mark);
      report.recovered(clients.awaitSuccess(MAX_RECOVERY));
      Await.pause(Duration.ofMillis(random.nextInt(50)));
      clients.stop();
      check();
      afterwards.run();
      report.round();
    }
    settle();
    verifyTrail();
  }

  private static boolean isFull(Merchant merchant) {
    return merchant.requests() > REQUESTS_PER_MERCHANT;
  }

  List<Merchant> newMerchants() {
    List<Merchant> fresh = new ArrayList<>();
    for (int i = 0; i < clientCount; i++) {
      fresh.add(Merchant.make(operator.at(url.get()), journals, cell));
    }
    merchants = fresh;
    return fresh;
  }

  List<Merchant> merchants() {
    return merchants;
  }

  void stockUp() throws SQLException {
    try (Connection connection = database.open()) {
      for (Merchant merchant : merchants) {
        merchant.stockUp(operator.at(url.get()), connection);
        merchant.addEntries(operator.at(url.get()));
      }
    }
  }

  /** Checks, resends unknown requests, and checks again. */
  void check() throws SQLException {
    try (Connection connection = database.open()) {
      List<Oracle.Snapshot> before = look(connection);
      merchants.forEach(this::sendAgain);
      List<Oracle.Snapshot> after = look(connection);
      for (int i = 0; i < merchants.size(); i++) {
        Oracle.compare(merchants.get(i), before.get(i), after.get(i), report);
      }
    }
  }

  private List<Oracle.Snapshot> look(Connection connection) throws SQLException {
    List<Oracle.Snapshot> sights = new ArrayList<>();
    for (Merchant merchant : merchants) {
      Oracle.Snapshot sight = Oracle.look(connection, merchant, report);
      Oracle.judge(merchant, sight, report);
      sights.add(sight);
    }
    return sights;
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
        Answer answer = merchant.send(url.get(), intent);
        outcome = answer.outcome(intent.kind());
        if (outcome == Outcome.UNKNOWN) {
          Await.pause(Duration.ofMillis(50));
        }
      }
      if (outcome != Outcome.ACKNOWLEDGED) {
        report.fault(
            "%s %s of merchant %d does not converge: the resend is %s"
                .formatted(intent.kind(), intent.key(), merchant.id(), outcome));
      }
    }
  }

  /** Counts the outcomes of the current merchants. */
  void settle() {
    for (Merchant merchant : merchants) {
      merchant.close();
      long acknowledged = 0;
      long unknown = 0;
      for (Journal.Entry entry : Journal.read(merchant.journalFile()).values()) {
        acknowledged += entry.outcome() == Outcome.ACKNOWLEDGED ? 1 : 0;
        // counts as unknown even if a resend has settled it since
        unknown += entry.sends() > 1 || entry.outcome() == Outcome.UNKNOWN ? 1 : 0;
      }
      report.counted(acknowledged, unknown);
    }
    merchants = List.of();
  }

  /** The hash chain of the audit log must be intact, too. */
  void verifyTrail() {
    Answer answer = operator.at(url.get()).post("/admin/audit/verify", "");
    if (answer.status() != 200 || !answer.text().contains("\"intact\":true")) {
      report.fault("the audit log is broken: " + answer.text());
    }
  }
}
