package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SqlTest {
  private final Database database = TestServer.shared().database();

  @Test
  void bindsEachNameAtEveryOccurrence() throws SQLException {
    Sql sql = Sql.of("select :a || :b || :a where :n::int = 3");

    String text =
        database.read(
            connection ->
                sql.on(connection)
                    .set("n", 3)
                    .set("a", "x")
                    .set("b", "y")
                    .one(row -> row.getString(1)));

    assertThat(text).isEqualTo("xyx");
  }

  @Test
  void ignoresCastsQuotedTextAndComments() {
    String text = "select ':a', \":b\", x::int /* :c */, $$ :d $$ -- :e\nfrom t";

    assertThat(Sql.of(text)).hasToString(text);
  }

  @Test
  void rejectsAnUnknownParameter() {
    assertThatThrownBy(
            () -> database.read(connection -> Sql.of("select :a").on(connection).set("b", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(":b");
  }

  @Test
  void rejectsAMissingParameter() {
    assertThatThrownBy(
            () ->
                database.read(
                    connection ->
                        Sql.of("select :a::int + :b::int").on(connection).set("a", 1).exists()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(":b");
  }

  @Test
  void bindsNullArraysAndInstants() throws SQLException {
    Instant at = Instant.parse("2026-01-02T03:04:05Z");
    Sql sql = Sql.of("select :at::timestamptz as at, :none::text as none, :ids::int[] as ids");

    List<Object> read =
        database.read(
            connection ->
                sql.on(connection)
                    .set("at", at)
                    .set("none", null)
                    .set("ids", new int[] {1, 2})
                    .one(
                        row ->
                            List.of(
                                Sql.instant(row, "at"),
                                String.valueOf(row.getString("none")),
                                row.getArray("ids").toString())));

    assertThat(read).containsExactly(at, "null", "{1,2}");
  }

  @Test
  void returnsNullWithoutAFirstRow() throws SQLException {
    Sql sql = Sql.of("select 1 where :wanted");

    assertThat(
            database.<@Nullable Integer>read(
                connection -> sql.on(connection).set("wanted", false).first(row -> row.getInt(1))))
        .isNull();
    assertThat(
            database.<@Nullable Integer>read(
                connection -> sql.on(connection).set("wanted", true).first(row -> row.getInt(1))))
        .isEqualTo(1);
  }

  @Test
  void readsTheResultsOfSeveralStatementsInOrder() throws SQLException {
    Sql sql = Sql.of("select :a::int union all select 2 order by 1; select :a::int + 10");

    List<String> read =
        database.read(
            connection -> {
              List<String> rows = new ArrayList<>();
              sql.on(connection)
                  .set("a", 1)
                  .forEachOfEach(
                      row -> rows.add("first " + row.getInt(1)),
                      row -> rows.add("second " + row.getInt(1)));
              return rows;
            });

    assertThat(read).containsExactly("first 1", "first 2", "second 11");
  }
}
