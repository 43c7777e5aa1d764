package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.server.testing.OwnDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AtCommitTest {
  private static final Sql INSERT = Sql.of("insert into line values (:text)");
  private static final Sql LINES = Sql.of("select text from line order by text");

  private static Database database;

  @BeforeAll
  static void open() throws SQLException {
    database = new Database(OwnDatabase.create(), 2, new SimpleMeterRegistry());
    database.write(
        connection -> Sql.of("create table line (text text primary key)").on(connection).update());
  }

  @BeforeEach
  void empty() throws SQLException {
    database.write(connection -> Sql.of("delete from line").on(connection).update());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static Sql.Call insert(Connection connection, String text) {
    return INSERT.on(connection).set("text", text);
  }

  private static List<String> lines() throws SQLException {
    return database.read(connection -> LINES.on(connection).list(row -> row.getString(1)));
  }

  @Test
  void runsWithTheCommit() throws SQLException {
    List<String> during =
        database.write(
            connection -> {
              insert(connection, "first").update();
              AtCommit.runLast(insert(connection, "last"));
              return LINES.on(connection).list(row -> row.getString(1));
            });

    assertThat(during).containsExactly("first");
    assertThat(lines()).containsExactly("first", "last");
  }

  @Test
  void undoesTheTransactionIfItFails() throws SQLException {
    assertThatThrownBy(
            () ->
                database.write(
                    connection -> {
                      insert(connection, "first").update();
                      AtCommit.runLast(insert(connection, "first"));
                      return true;
                    }))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("line_pkey");
    assertThat(lines()).isEmpty();
  }

  @Test
  void isDroppedIfTheWorkFails() throws SQLException {
    assertThatThrownBy(
            () ->
                database.write(
                    connection -> {
                      AtCommit.runLast(insert(connection, "last"));
                      throw new SQLException("no");
                    }))
        .hasMessage("no");
    database.write(connection -> insert(connection, "next").update());

    assertThat(lines()).containsExactly("next");
  }

  @Test
  void rejectsASecondOne() {
    assertThatThrownBy(
            () ->
                database.write(
                    connection -> {
                      AtCommit.runLast(insert(connection, "last"));
                      AtCommit.runLast(insert(connection, "another"));
                      return true;
                    }))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void rejectsAStatementOutsideOfATransaction() {
    assertThatThrownBy(
            () ->
                database.read(
                    connection -> {
                      AtCommit.runLast(insert(connection, "last"));
                      return true;
                    }))
        .isInstanceOf(IllegalStateException.class);
  }
}
