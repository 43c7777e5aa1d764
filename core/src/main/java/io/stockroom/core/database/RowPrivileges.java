package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the server's role may do with the owner's tables: read and write rows. */
public final class RowPrivileges {
  private static final Logger LOG = LoggerFactory.getLogger(RowPrivileges.class);
  private static final int FIRST_WITH_MAINTAIN = 17;

  private RowPrivileges() {}

  /** A superuser reads files and runs programs on the database's machine. */
  public static void warnOfTooMany(Database database) throws SQLException {
    boolean superuser =
        database.read(
            connection -> {
              try (PreparedStatement statement =
                      connection.prepareStatement(
                          "select rolsuper from pg_roles where rolname = current_user");
                  ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
              }
            });
    if (superuser) {
      LOG.warn(
          "Stockroom logs in to its database as a superuser, who can read files and run programs on"
              + " the database's machine. Give it a role that owns only its own database:"
              + " docs/operators/nodes.md shows how.");
    }
  }

  static void grant(DatabaseRoles roles) throws SQLException {
    DatabaseAddress owner = roles.owner();
    try (Connection connection = DriverManager.getConnection(owner.jdbcUrl(), owner.login());
        Statement statement = connection.createStatement()) {
      String role = statement.enquoteIdentifier(roles.server().user(), true);
      // a forgotten analysis after many new rows would make the first reads slow
      String vacuum =
          connection.getMetaData().getDatabaseMajorVersion() >= FIRST_WITH_MAINTAIN
              ? ", maintain"
              : "";
      connection.setAutoCommit(false);
      for (String sql :
          new String[] {
            "grant usage on schema public to %s",
            "grant select, insert, update, delete%s on all tables in schema public to %%s"
                .formatted(vacuum),
            "grant usage, select on all sequences in schema public to %s",
            revoke("insert, update, delete", Schema.DIRECTORY.history()),
            revoke("insert, update, delete", Schema.CELL.history()),
            revoke("update, delete", "audit")
          }) {
        statement.execute(sql.formatted(role));
      }
      connection.commit();
    }
  }

  /** Each side of the schema has some of the tables; one database may have both. */
  private static String revoke(String privileges, String table) {
    return """
        do $$ begin
          if to_regclass('%2$s') is not null then
            revoke %1$s on %2$s from %%s;
          end if;
        end $$
        """
        .formatted(privileges, table);
  }
}
