package io.stockroom.server.backup;

import io.stockroom.core.database.Schema;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tables and sequences of a database, read from its catalog. */
final class Tables {
  /** A table with its writable columns. */
  record Table(String name, List<String> columns) {
    /** {@code "name" ("column", …)}, for a statement. */
    String withColumns() {
      return quoted(name) + " (" + columnList() + ")";
    }

    String columnList() {
      return columns.stream().map(Tables::quoted).collect(Collectors.joining(", "));
    }
  }

  /** The list of cells: part of a backup only if cells are in databases of their own. */
  static final String CELLS = "cell";

  /**
   * Tables that hold only transient state, and tables that grant access: sessions and links may end
   * between backup and restore, and mails may have been sent.
   */
  private static final Set<String> LEFT_OUT =
      Set.of(
          Schema.DIRECTORY.history(),
          Schema.CELL.history(),
          CELLS,
          "cell_identity",
          "request_log",
          "webhook_delivery",
          "node",
          "import_piece",
          "nonce",
          "session",
          "person_link",
          "sign_in_ticket",
          "mail");

  private static final Sql FIND =
      Sql.of(
          """
          select c.relname::text as name,
            array(select a.attname::text from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                and a.attgenerated = ''
              order by a.attnum) as columns,
            array(select r.relname::text from pg_constraint k
              join pg_class r on r.oid = k.confrelid
              where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = current_schema() and c.relkind in ('r', 'p')
            and not c.relispartition and c.relname <> all (:leftOut)
          order by c.relname
          """);

  private static final Sql SEQUENCES =
      Sql.of(
          """
          select sequencename::text from pg_sequences
          where schemaname = current_schema() order by 1
          """);

  private static final Sql NO_TIMEOUT = Sql.of("set local statement_timeout = 0");

  /** A transaction waits while the databases of other cells are copied. */
  private static final Sql NO_IDLE_TIMEOUT =
      Sql.of("set local idle_in_transaction_session_timeout = 0");

  private record Found(Table table, List<String> needs) {}

  private Tables() {}

  /** Whether a restore skips the table, although a backup of an earlier version contains it. */
  static boolean isLeftOut(String table, boolean withCells) {
    return leftOut(withCells).contains(table);
  }

  private static Set<String> leftOut(boolean withCells) {
    return withCells
        ? LEFT_OUT.stream()
            .filter(table -> !table.equals(CELLS))
            .collect(Collectors.toUnmodifiableSet())
        : LEFT_OUT;
  }

  /**
   * All tables in a backup; a table comes after those that it references.
   *
   * @param withCells whether the list of cells is one of them
   */
  static List<Table> all(Connection connection, boolean withCells) throws SQLException {
    Map<String, Found> left = find(connection, leftOut(withCells));
    List<Table> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      List<Found> ready =
          left.values().stream()
              .filter(found -> found.needs.stream().noneMatch(left::containsKey))
              .toList();
      if (ready.isEmpty()) {
        throw new IllegalStateException("these tables reference each other: " + left.keySet());
      }
      for (Found found : ready) {
        ordered.add(found.table);
        left.remove(found.table.name);
      }
    }
    return ordered;
  }

  private static Map<String, Found> find(Connection connection, Set<String> leftOut)
      throws SQLException {
    Map<String, Found> found = new LinkedHashMap<>();
    FIND.on(connection)
        .set("leftOut", leftOut.toArray(String[]::new))
        .forEach(
            row -> {
              Table table = new Table(row.getString("name"), Sql.texts(row, "columns"));
              found.put(table.name, new Found(table, Sql.texts(row, "needs")));
            });
    return found;
  }

  static List<Manifest.Sequence> sequences(Connection connection) throws SQLException {
    List<Manifest.Sequence> sequences = new ArrayList<>();
    for (String name : SEQUENCES.on(connection).list(row -> row.getString(1))) {
      sequences.add(
          Sql.of("select last_value, is_called from " + quoted(name))
              .on(connection)
              .one(row -> new Manifest.Sequence(name, row.getLong(1), row.getBoolean(2))));
    }
    return sequences;
  }

  /** The first table that has rows; the list of cells always has some. */
  static Optional<String> filled(Connection connection) throws SQLException {
    for (Table table : all(connection, false)) {
      if (Sql.of("select 1 from " + quoted(table.name) + " limit 1").on(connection).exists()) {
        return Optional.of(table.name);
      }
    }
    return Optional.empty();
  }

  static void waitAsLongAsItTakes(Connection connection) throws SQLException {
    NO_TIMEOUT.on(connection).update();
    NO_IDLE_TIMEOUT.on(connection).update();
  }

  static void lock(Connection connection, List<Table> tables, String mode) throws SQLException {
    Sql.of("lock table " + list(tables) + " in " + mode + " mode").on(connection).update();
  }

  static String list(List<Table> tables) {
    return tables.stream().map(table -> quoted(table.name)).collect(Collectors.joining(", "));
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
