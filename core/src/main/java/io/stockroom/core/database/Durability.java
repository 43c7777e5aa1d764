package io.stockroom.core.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Whether the database keeps what it has confirmed, even when the machine fails. */
public final class Durability {
  private Durability() {}

  /** The settings that would lose confirmed data; empty where all is well. */
  public static List<String> faults(Database database) throws SQLException {
    return database.read(
        connection -> {
          List<String> faults = new ArrayList<>();
          try (Statement statement = connection.createStatement();
              ResultSet rows =
                  statement.executeQuery(
                      """
                      select name, setting from pg_settings
                      where name in ('fsync', 'synchronous_commit', 'full_page_writes')
                        and setting = 'off'
                      order by name
                      """)) {
            while (rows.next()) {
              faults.add(rows.getString(1) + " is " + rows.getString(2));
            }
          }
          return faults;
        });
  }
}
