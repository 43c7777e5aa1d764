package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which cell a database is: it stores the value that the directory has for the cell. Addresses say
 * little, because several may lead to one database, and one may lead to another database later.
 */
public final class CellIdentity {
  private static final Sql READ = Sql.of("select identity from cell_identity");

  private static final Sql CLAIM =
      Sql.of("insert into cell_identity (identity) values (:identity) on conflict do nothing");

  private static final Sql IS_THERE =
      Sql.of("select 1 where to_regclass('cell_identity') is not null");

  private static final Sql FORGET = Sql.of("delete from cell_identity");

  private CellIdentity() {}

  /** The value in the database; null if it is no cell, or was never opened as one. */
  public static @Nullable UUID of(Connection connection) throws SQLException {
    return IS_THERE.on(connection).exists()
        ? READ.on(connection).<UUID>first(row -> row.getObject(1, UUID.class))
        : null;
  }

  /** Stores this value, unless there is one. Returns the one that is there then. */
  public static UUID claim(Connection connection, UUID identity) throws SQLException {
    // waits for another transaction that does the same
    CLAIM.on(connection).set("identity", identity).update();
    return READ.on(connection).one(row -> row.getObject(1, UUID.class));
  }

  /** For a restore: the database becomes the cell that opens it next. */
  public static void forget(Connection connection) throws SQLException {
    if (IS_THERE.on(connection).exists()) {
      FORGET.on(connection).update();
    }
  }
}
