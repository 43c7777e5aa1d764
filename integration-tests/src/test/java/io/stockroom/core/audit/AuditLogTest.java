package io.stockroom.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.Sql;
import io.stockroom.server.testing.OwnDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The audit log on its own database, where a test may tamper with it. */
@TestInstance(Lifecycle.PER_CLASS)
class AuditLogTest {
  private final Database database =
      new Database(OwnDatabase.withTables(), 2, new SimpleMeterRegistry());
  private final Audit audit = new Audit(Cells.single(database));

  @BeforeAll
  void makeTables() throws SQLException {
    Migrations.run(database);
  }

  @BeforeEach
  void writeTwoChains() throws SQLException {
    run("alter table audit disable trigger user");
    run("truncate audit, log_head");
    run("alter table audit enable trigger user");
    for (int chain : new int[] {Audit.SERVER, 7}) {
      for (int i = 1; i <= 5; i++) {
        add(chain, "change " + i);
      }
    }
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void isIntactIfUnchanged() throws SQLException {
    Audit.Verdict verdict = audit.verify();

    assertThat(verdict.intact()).isTrue();
    assertThat(verdict.entries()).isEqualTo(10);
    assertThat(verdict.chains()).isEqualTo(2);
    assertThat(verdict.head()).matches("[0-9a-f]{64}");
  }

  @Test
  void everyRowChangesTheHead() throws SQLException {
    String before = audit.verify().head();
    assertThat(audit.verify().head()).isEqualTo(before);

    add(7, "one more");

    assertThat(audit.verify().head()).isNotEqualTo(before);
    assertThat(audit.verify().intact()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update audit set details = 'nothing happened' where merchant_id = 7 and number = 3",
        "delete from audit where merchant_id = 7 and number = 3",
        "truncate audit",
        "truncate audit cascade"
      })
  void isAppendOnlyInTheDatabase(String sql) throws SQLException {
    assertThatThrownBy(() -> run(sql))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("append-only");
    assertThat(audit.verify().entries()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update audit set details = 'x' where merchant_id = 7 and number = 3 | 3",
        "update audit set actor = 'x' where merchant_id = 7 and number = 1 | 1",
        "update audit set action = 'x' where merchant_id = 7 and number = 5 | 5",
        "update audit set subject = 'x' where merchant_id = 7 and number = 2 | 2",
        "update audit set address = 'x' where merchant_id = 7 and number = 2 | 2",
        "update audit set at = at + interval '1 microsecond' where merchant_id = 7 and number = 4"
            + " | 4",
        "update audit set hash = sha256('x') where merchant_id = 7 and number = 3 | 3",
        "update audit set hash = sha256('x') where merchant_id = 7 and number = 5 | 5",
        "update audit set number = 6 where merchant_id = 7 and number = 5 | 5",
        // the row after the gap is the first that does not match
        "delete from audit where merchant_id = 7 and number = 3 | 4",
        "delete from audit where merchant_id = 7 and number = 1 | 2",
        "delete from audit where merchant_id = 7 and number = 5 | 5",
        "delete from audit where merchant_id = 7 | 5",
        "insert into audit select merchant_id, 6, at, actor, action, subject, details, address, null, null,"
            + " hash from audit where merchant_id = 7 and number = 5 | 6",
        "insert into audit select merchant_id, 0, at, actor, action, subject, details, address, null, null,"
            + " hash from audit where merchant_id = 7 and number = 5 | 0",
        "insert into audit select merchant_id, 50, at, actor, action, subject, details, address,"
            + " null, null, hash from audit where merchant_id = 7 and number = 5 | 50"
      })
  void namesTheFirstRowThatBreaksTheChain(String sql, long number) throws SQLException {
    run("alter table audit disable trigger user");
    run(sql);

    Audit.Verdict verdict = audit.verify();

    assertThat(verdict.intact()).isFalse();
    assertThat(verdict.merchantId()).isEqualTo(7);
    assertThat(verdict.number()).isEqualTo(number);
  }

  @Test
  void detectsAChainWithoutAHead() throws SQLException {
    run("delete from log_head where merchant_id = 7");

    assertThat(audit.verify().merchantId()).isEqualTo(7);
    assertThat(audit.verify().number()).isEqualTo(1);
  }

  @Test
  void detectsSwappedRows() throws SQLException {
    run("alter table audit disable trigger user");
    run("update audit set number = -number where merchant_id = 7 and number in (2, 3)");
    run("update audit set number = 5 + number where merchant_id = 7 and number < 0");

    assertThat(audit.verify().number()).isEqualTo(2);
  }

  @Test
  void hashesFieldsUnambiguously() throws SQLException {
    run("alter table audit disable trigger user");
    run(
        "update audit set action = action || subject, subject = '' where merchant_id = 7 and number"
            + " = 3");

    assertThat(audit.verify().number()).isEqualTo(3);
  }

  @Test
  void isPagedNewestFirstByFifty() throws SQLException {
    for (int i = 6; i <= 51; i++) {
      add(7, "change " + i);
    }

    assertThat(audit.page(7, 1).entries()).hasSize(50);
    assertThat(audit.page(7, 1).entries().getFirst().number()).isEqualTo(51);
    assertThat(audit.page(7, 2).entries()).extracting(Audit.Entry::number).containsExactly(1L);
    assertThat(audit.page(7, 3).entries()).isEmpty();
    for (int page = 1; page <= 3; page++) {
      assertThat(audit.page(7, page).totalPages()).isEqualTo(2);
    }
    assertThat(audit.page(null, 1).totalPages()).isEqualTo(2);
    assertThat(audit.page(8, 1).totalPages()).isZero();
  }

  @Test
  void addsNoRowIfTheChangeFails() throws SQLException {
    assertThatThrownBy(
            () ->
                database.write(
                    connection -> {
                      audit.add(
                          connection, 7, Actor.operator("127.0.0.1"), "a", "subject", "details");
                      throw new SQLException("the change failed");
                    }))
        .hasMessage("the change failed");

    assertThat(audit.verify().entries()).isEqualTo(10);
    assertThat(audit.verify().intact()).isTrue();
  }

  private void add(int chain, String details) throws SQLException {
    database.write(
        connection -> {
          audit.add(connection, chain, Actor.operator("127.0.0.1"), "test", "subject", details);
          return chain;
        });
  }

  private void run(String sql) throws SQLException {
    database.write(connection -> Sql.of(sql).on(connection).update());
  }
}
