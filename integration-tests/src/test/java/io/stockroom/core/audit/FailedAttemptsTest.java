package io.stockroom.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.server.testing.OwnDatabase;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A flood of failed attempts cannot fill the audit log. */
class FailedAttemptsTest {
  private Instant now = Instant.parse("2026-01-01T10:00:00Z");
  private Database database;
  private Audit audit;
  private FailedAttempts failures;

  @BeforeEach
  void open() throws SQLException {
    database = new Database(OwnDatabase.withTables(), 2, new SimpleMeterRegistry());
    Migrations.run(database);
    audit = new Audit(Cells.single(database));
    failures = new FailedAttempts(audit, new SetClock());
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void limitsRowsPerQuarterHourAndThenAddsASum() throws SQLException {
    flood(FailedAttempts.MAX_ROWS + 40);
    failures.flush();
    assertThat(rows()).isEqualTo(FailedAttempts.MAX_ROWS);
    flood(5);
    failures.flush();
    assertThat(rows())
        .as("no more until the quarter hour is over")
        .isEqualTo(FailedAttempts.MAX_ROWS);

    now = now.plusSeconds(15 * 60);
    failures.flush();

    assertThat(rows()).isEqualTo(FailedAttempts.MAX_ROWS + 1);
    Audit.Entry sum = audit.page(null, 1).entries().getFirst();
    assertThat(sum.action()).isEqualTo(FailedAttempts.OPERATOR_KEY);
    assertThat(sum.details()).isEqualTo("more, from various addresses, 45 times");
    flood(1);
    failures.flush();
    assertThat(rows()).isEqualTo(FailedAttempts.MAX_ROWS + 2);
  }

  @Test
  void writesTheRestWhenTheServerStops() throws SQLException {
    flood(FailedAttempts.MAX_ROWS + 1);

    failures.close();

    assertThat(rows()).isEqualTo(FailedAttempts.MAX_ROWS + 1);
  }

  private void flood(int addresses) {
    for (int i = 0; i < addresses; i++) {
      failures.note(
          Audit.SERVER, "10.0.0." + i, FailedAttempts.OPERATOR_KEY, "operator key", "wrong key");
    }
  }

  private long rows() throws SQLException {
    return audit.verify().entries();
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
