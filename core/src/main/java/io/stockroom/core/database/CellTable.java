package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The cells as the directory stores them. */
public final class CellTable {
  /**
   * One cell.
   *
   * @param url where its database is; null if it is in the directory's database
   * @param user null if it is the directory's
   * @param password encrypted; null if it is the directory's
   * @param isDraining whether it gets no new merchants
   * @param identity which its database stores, too; null if this directory does not have it yet
   */
  public record Row(
      int id,
      String name,
      @Nullable String url,
      @Nullable String user,
      byte @Nullable [] password,
      boolean isDraining,
      int merchants,
      @Nullable UUID identity) {
    /** Whether both name the same place and login. */
    boolean hasAddressOf(Row other) {
      return Objects.equals(url, other.url)
          && Objects.equals(user, other.user)
          && Arrays.equals(password, other.password);
    }

    @Override
    public String toString() {
      return "Row[" + name + "]";
    }
  }

  /** Commands also read directories of the schema version before the identity. */
  private static final Sql ALL =
      Sql.of(
          """
          select cell_id, name, url, user_name, password, state = 'draining' as draining,
            0 as merchants, (to_jsonb(cell) ->> 'identity')::uuid as identity
          from cell order by cell_id
          """);

  private static final Sql ALL_WITH_MERCHANTS =
      Sql.of(
          """
          select c.cell_id, c.name, c.url, c.user_name, c.password,
            c.state = 'draining' as draining, count(m.merchant_id) as merchants,
            null::uuid as identity
          from cell c left join merchant m using (cell_id)
          group by c.cell_id order by c.cell_id
          """);

  private static final Sql ADD =
      Sql.of(
          """
          insert into cell (name, url, user_name, password, identity)
          values (:name, :url, :user, :password, :identity)
          """);

  private static final Sql RESEAL =
      Sql.of("update cell set password = :password where cell_id = :cellId");

  private static final Sql RELOCATE =
      Sql.of(
          """
          update cell set url = :url, user_name = :user, password = :password where name = :name
          """);

  /** Waits for merchants that are being created in it; the foreign key refuses later ones. */
  private static final Sql UNUSED =
      Sql.of(
          """
          select cell_id from cell c where cell_id = :cellId
            and not exists (select 1 from merchant m where m.cell_id = c.cell_id)
            and not exists (
              select 1 from merchant_move
              where c.cell_id in (from_cell, to_cell) and ended_at is null)
          for update
          """);

  private static final Sql FORGET_MOVES =
      Sql.of("delete from merchant_move where :cellId in (from_cell, to_cell)");

  private static final Sql REMOVE = Sql.of("delete from cell where cell_id = :cellId");

  private static final Sql EMPTIEST =
      Sql.of(
          """
          select cell_id from cell c where state = 'active'
          order by (select count(*) from merchant m where m.cell_id = c.cell_id), cell_id
          limit 1
          """);

  private static final Sql NAMED = Sql.of("select cell_id from cell where name = :name");

  private CellTable() {}

  /** The names of cells that are in other databases than the directory; for commands. */
  public static List<String> elsewhere(Database database) throws SQLException {
    if (Schema.DIRECTORY.version(database) == null) {
      return List.of();
    }
    return database.read(CellTable::all).stream()
        .filter(row -> row.url() != null)
        .map(Row::name)
        .toList();
  }

  public static List<Row> all(Connection connection) throws SQLException {
    return ALL.on(connection).list(CellTable::read);
  }

  /** All cells, with the number of merchants in each. */
  public static List<Row> withMerchants(Connection connection) throws SQLException {
    return ALL_WITH_MERCHANTS.on(connection).list(CellTable::read);
  }

  public static void add(
      Connection connection,
      String name,
      String url,
      @Nullable String user,
      byte @Nullable [] password,
      UUID identity)
      throws SQLException {
    ADD.on(connection)
        .set("name", name)
        .set("url", url)
        .set("user", user)
        .set("password", password)
        .set("identity", identity)
        .update();
  }

  /** Changes where the database of a cell is. */
  public static void relocate(
      Connection connection,
      String name,
      String url,
      @Nullable String user,
      byte @Nullable [] password)
      throws SQLException {
    RELOCATE
        .on(connection)
        .set("name", name)
        .set("url", url)
        .set("user", user)
        .set("password", password)
        .update();
  }

  /** Removes a cell without merchants and running moves; false if it has some. */
  public static boolean remove(Connection connection, int cellId) throws SQLException {
    if (!UNUSED.on(connection).set("cellId", cellId).exists()) {
      return false;
    }
    FORGET_MOVES.on(connection).set("cellId", cellId).update();
    REMOVE.on(connection).set("cellId", cellId).update();
    return true;
  }

  /** Encrypts a password again. */
  public static void reseal(Connection connection, int cellId, byte[] password)
      throws SQLException {
    RESEAL.on(connection).set("cellId", cellId).set("password", password).update();
  }

  /** The active cell with the fewest merchants; null if all are draining. */
  public static @Nullable Integer emptiest(Connection connection) throws SQLException {
    return EMPTIEST.on(connection).first(row -> row.getInt("cell_id"));
  }

  /** The id of a cell; null if there is none of this name. */
  public static @Nullable Integer named(Connection connection, String name) throws SQLException {
    return NAMED.on(connection).set("name", name).first(row -> row.getInt("cell_id"));
  }

  private static Row read(ResultSet row) throws SQLException {
    return new Row(
        row.getInt("cell_id"),
        row.getString("name"),
        row.getString("url"),
        row.getString("user_name"),
        row.getBytes("password"),
        row.getBoolean("draining"),
        row.getInt("merchants"),
        row.getObject("identity", UUID.class));
  }
}
