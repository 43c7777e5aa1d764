package io.stockroom.lab.faults;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Verifies that the oracle can fail. A database that confirms before it writes loses confirmed
 * commits when it is killed, and deleted rows are missing. The oracle must notice both.
 */
final class Control {
  private static final int ENOUGH = 50;

  private Control() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres =
        Postgres.start(
            laboratory,
            "control-database",
            "synchronous_commit=off",
            "wal_writer_delay=10s",
            "wal_writer_flush_after=1GB");
    Server server = Server.outside(laboratory, "control", postgres.url()).start();
    Report seen = new Report();
    Rounds course = new Rounds(laboratory, seen, server::url, server.operator(), postgres::connect);
    for (int round = 0; round < rounds; round++) {
      course.newMerchants();
      course.stockUp();
      // otherwise the merchants themselves would be lost and every later call would fail
      postgres.execute("checkpoint");
      Clients clients = Clients.start(laboratory, course.merchants(), server::url);
      clients.awaitAcknowledged(ENOUGH);
      postgres.kill(() -> {});
      postgres.start();
      clients.stop();
      course.check();
      course.settle();
    }
    report.rounds(rounds);
    report.counted(seen.acknowledged(), 0);
    report.remark(
        "with synchronous_commit off, the oracle found %d of the acknowledged requests lost"
            .formatted(seen.lost()));
    if (seen.lost() == 0) {
      report.fault("confirmed commits were lost on purpose, and the oracle did not notice");
    }
    takeRowsAway(laboratory, server, postgres, report);
    server.stop();
    postgres.stop();
  }

  private static void takeRowsAway(
      Laboratory laboratory, Server server, Postgres postgres, Report report) throws Exception {
    Merchant merchant = Merchant.make(server.operator(), laboratory.newFolder("journals"));
    try (Connection connection = postgres.connect()) {
      merchant.stockUp(server.operator(), connection);
      List<Intent> creates =
          List.of(
              merchant.next(Kind.CREATE), merchant.next(Kind.CREATE), merchant.next(Kind.CREATE));
      creates.forEach(create -> merchant.send(server.url(), create));
      Report before = look(connection, merchant);
      if (!before.isClean()) {
        report.fault("the oracle reports problems without cause: " + before.findings());
      }
      delete(connection, merchant, creates.get(0), "stock_entry", "and size_text = '33'");
      delete(connection, merchant, creates.get(1), "stock_entry", "");
      delete(connection, merchant, creates.get(1), "stock_color", "");
      Report after = look(connection, merchant);
      report.remark(
          "of three acknowledged creates one was cut and one was deleted: %d lost, %d half"
              .formatted(after.lost(), after.half()));
      if (after.lost() != 2 || after.half() != 1) {
        report.fault("rows were deleted, and the oracle did not report exactly that");
      }
    }
  }

  private static Report look(Connection connection, Merchant merchant) throws SQLException {
    Report report = new Report();
    Oracle.judge(merchant, Oracle.look(connection, merchant, report), report);
    return report;
  }

  private static void delete(
      Connection connection, Merchant merchant, Intent create, String table, String condition)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            delete from %s
            where merchant_id = ? and (product_id, color_no) in (
              select product_id, color_no from stock_color where merchant_id = ? and color = ?)
            """
                    .formatted(table)
                + condition)) {
      statement.setInt(1, merchant.id());
      statement.setInt(2, merchant.id());
      statement.setString(3, create.key());
      statement.executeUpdate();
    }
  }
}
