package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.server.testing.OwnDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
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

  private static List<String> lines() {
    try {
      return database.read(connection -> LINES.on(connection).list(row -> row.getString(1)));
    } catch (SQLException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void tellsAndRunsOnceTheRowsAreThere() throws SQLException {
    List<Integer> told = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    database.afterChange(told::add);

    database.write(
        connection -> {
          AtCommit.announce(connection, 7);
          AtCommit.run(connection, () -> seen.addAll(lines()));
          insert(connection, "first").update();
          assertThat(told).isEmpty();
          return seen.size();
        });

    assertThat(told).containsExactly(7);
    assertThat(seen).containsExactly("first");
  }

  @Test
  void forgetsEverythingIfTheWorkFails() throws SQLException {
    List<String> ran = new ArrayList<>();
    assertThatThrownBy(
            () ->
                database.write(
                    connection -> {
                      AtCommit.run(connection, () -> ran.add("failed"));
                      throw new SQLException("no");
                    }))
        .hasMessage("no");
    database.write(connection -> insert(connection, "next").update());

    assertThat(ran).isEmpty();
    assertThat(lines()).containsExactly("next");
  }
}
