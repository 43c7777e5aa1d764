package io.stockroom.core.traffic;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Looks up the names of merchants and applications in the directory. */
final class CallerNames {
  private static final Sql MERCHANTS =
      Sql.of("select merchant_id as id, name from merchant where merchant_id = any (:ids)");

  private static final Sql APPIDS =
      Sql.of(
          """
          select application_id as id, appid as name from application
          where application_id = any (:ids)
          """);

  private CallerNames() {}

  static Map<Integer, String> merchants(Connection connection, Collection<Integer> ids)
      throws SQLException {
    return find(connection, MERCHANTS, ids);
  }

  static Map<Integer, String> appids(Connection connection, Collection<Integer> ids)
      throws SQLException {
    return find(connection, APPIDS, ids);
  }

  private static Map<Integer, String> find(Connection connection, Sql sql, Collection<Integer> ids)
      throws SQLException {
    Map<Integer, String> names = new HashMap<>();
    sql.on(connection)
        .set("ids", ids.stream().distinct().toArray(Integer[]::new))
        .forEach(row -> names.put(row.getInt("id"), row.getString("name")));
    return names;
  }
}
