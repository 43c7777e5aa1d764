package io.stockroom.server.backup;

import io.stockroom.server.database.SchemaVersion;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tables and sequences that a database really has, by its own catalogue. */
final class Tables {
  /** A table with the columns that can be written. */
  record Table(String name, List<String> columns) {
    /** {@code "name" ("column", …)}, as a statement needs it. */
    String withColumns() {
      return quoted(name) + " (" + columnList() + ")";
    }

    String columnList() {
      return columns.stream().map(Tables::quoted).collect(Collectors.joining(", "));
    }
  }

  /**
   * What tells of the moment rather than of the marketplace, and would only make a backup large;
   * and what lets people in, since it may have been ended between a backup and its restore.
   */
  private static final Set<String> LEFT_OUT =
      Set.of(
          SchemaVersion.HISTORY,
          "request_log",
          "node",
          "import_piece",
          "sign_nonce",
          "session",
          "person_link",
          "sign_in_ticket");

  private record Found(Table table, List<String> needs) {}

  private Tables() {}

  /** Whether the table stays out of a restore, though a backup of an earlier version has it. */
  static boolean isLeftOut(String table) {
    return LEFT_OUT.contains(table);
  }

  /** All tables that a backup holds; a table comes after those that it refers to. */
  static List<Table> all(Connection connection) throws SQLException {
    Map<String, Found> left = find(connection);
    List<Table> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      List<Found> ready =
          left.values().stream()
              .filter(found -> found.needs.stream().noneMatch(left::containsKey))
              .toList();
      if (ready.isEmpty()) {
        throw new IllegalStateException("these tables refer to each other: " + left.keySet());
      }
      for (Found found : ready) {
        ordered.add(found.table);
        left.remove(found.table.name);
      }
    }
    return ordered;
  }

  private static Map<String, Found> find(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
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
              and not c.relispartition and c.relname <> all (?)
            order by c.relname
            """)) {
      statement.setObject(1, LEFT_OUT.toArray(String[]::new));
      Map<String, Found> found = new LinkedHashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Table table = new Table(row.getString("name"), texts(row, "columns"));
          found.put(table.name, new Found(table, texts(row, "needs")));
        }
      }
      return found;
    }
  }

  static List<Manifest.Sequence> sequences(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>();
    List<Manifest.Sequence> sequences = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row =
          statement.executeQuery(
              """
              select sequencename::text from pg_sequences
              where schemaname = current_schema() order by 1
              """)) {
        while (row.next()) {
          names.add(row.getString(1));
        }
      }
      for (String name : names) {
        try (ResultSet row =
            statement.executeQuery("select last_value, is_called from " + quoted(name))) {
          row.next();
          sequences.add(new Manifest.Sequence(name, row.getLong(1), row.getBoolean(2)));
        }
      }
    }
    return sequences;
  }

  /** The first table that has a row. */
  static Optional<String> filled(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (Table table : all(connection)) {
        try (ResultSet row =
            statement.executeQuery(
                "select exists (select 1 from " + quoted(table.name) + ") as filled")) {
          row.next();
          if (row.getBoolean(1)) {
            return Optional.of(table.name);
          }
        }
      }
      return Optional.empty();
    }
  }

  static void lock(Connection connection, List<Table> tables, String mode) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("lock table " + list(tables) + " in " + mode + " mode");
    }
  }

  static String list(List<Table> tables) {
    return tables.stream().map(table -> quoted(table.name)).collect(Collectors.joining(", "));
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    return List.of((String[]) row.getArray(column).getArray());
  }
}
