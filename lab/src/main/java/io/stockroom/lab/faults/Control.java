package io.stockroom.lab.faults;

import io.stockroom.lab.DirectSql;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Postgres;
import io.stockroom.lab.Server;
import io.stockroom.lab.faults.Report.Finding;
import java.util.List;

/**
 * Verifies that the oracle can fail. A database that confirms before it writes loses confirmed
 * commits when it is killed, and deleted rows are missing. The oracle must notice both.
 */
final class Control {
  private static final int ENOUGH = 50;

  private Control() {}

  static void run(Stage stage, int rounds, Report report) {
    Laboratory laboratory = stage.laboratory();
    Postgres postgres =
        Postgres.start(
            laboratory,
            "control-database",
            "synchronous_commit=off",
            "wal_writer_delay=10s",
            "wal_writer_flush_after=1GB");
    Server server = Server.outside(laboratory, postgres.sql().url()).start();
    Report seen = new Report();
    Rounds course = new Rounds(laboratory, seen, server::url, server.operator(), postgres::sql);
    for (int round = 0; round < rounds; round++) {
      var _ = course.newMerchants();
      course.stockUp();
      // otherwise the merchants themselves would be lost and every later call would fail
      postgres.sql().execute("checkpoint");
      Clients clients = new Clients(laboratory, course.merchants(), server::url);
      clients.awaitAcknowledged(ENOUGH);
      postgres.kill();
      var _ = postgres.start();
      clients.stop();
      course.check();
    }
    var _ = course.newMerchants();
    report.rounds(rounds);
    report.counted(seen.acknowledged(), 0);
    report.remark(
        "with synchronous_commit off, the oracle found %d of the acknowledged requests lost",
        seen.count(Finding.LOST));
    if (seen.count(Finding.LOST) == 0) {
      report.fault("confirmed commits were lost on purpose, and the oracle did not notice");
    }
    course.stockUp();
    takeRowsAway(server, course.merchants().getFirst(), postgres.sql(), report);
    server.stop();
    postgres.stop();
  }

  private static void takeRowsAway(
      Server server, Merchant merchant, DirectSql database, Report report) {
    List<Intent> creates =
        List.of(merchant.next(Kind.CREATE), merchant.next(Kind.CREATE), merchant.next(Kind.CREATE));
    creates.forEach(create -> merchant.send(server.url(), create));
    Report before = new Report();
    var _ = Oracle.look(database, merchant, before);
    if (!before.isClean()) {
      report.fault("the oracle reports problems without cause: " + before.findings());
    }
    String delete =
        """
        delete from %s where merchant_id = %d and (product_id, color_no) in (
          select product_id, color_no from stock_color where color = '%s') %s
        """;
    int id = merchant.id();
    database.execute(
        delete.formatted("stock_entry", id, creates.get(0).key(), "and size_text = '33'"),
        delete.formatted("stock_entry", id, creates.get(1).key(), ""),
        delete.formatted("stock_color", id, creates.get(1).key(), ""));
    Report after = new Report();
    var _ = Oracle.look(database, merchant, after);
    int lost = after.count(Finding.LOST);
    int partial = after.count(Finding.PARTIAL);
    report.remark(
        "of three acknowledged creates one was cut and one was deleted: %d lost, %d partial",
        lost, partial);
    if (lost != 2 || partial != 1) {
      report.fault("rows were deleted, and the oracle did not report exactly that");
    }
  }
}
