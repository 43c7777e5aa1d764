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
  /** Decrypts a password of a cell. */
  public interface Passwords {
    String open(byte[] sealed, String cell);
  }

  /** Encrypts a password of a cell. */
  public interface Seal {
    byte[] seal(String password, String cell) throws SQLException;
  }

  /**
   * One cell.
   *
   * @param url where its database is; null if it is in the directory's database
   * @param user null if the directory's users log in, on the same server
   * @param password encrypted; null without a user
   * @param keyPassword of the private key of a client certificate, encrypted; null if there is none
   * @param isDraining whether it gets no new merchants
   * @param identity which its database stores, too; null if this directory does not have it yet
   */
  public record Row(
      int id,
      String name,
      @Nullable String url,
      @Nullable String user,
      byte @Nullable [] password,
      byte @Nullable [] keyPassword,
      boolean isDraining,
      int merchants,
      @Nullable UUID identity) {
    /** Whether both name the same place and login. */
    boolean hasAddressOf(Row other) {
      return Objects.equals(url, other.url)
          && Objects.equals(user, other.user)
          && Arrays.equals(password, other.password)
          && Arrays.equals(keyPassword, other.keyPassword);
    }

    /** Where its own database is, and its own login; without a user, that is empty. */
    public DatabaseAddress address(String ownUrl, Passwords passwords) {
      return user == null || password == null
          ? new DatabaseAddress(ownUrl, "", "")
          : new DatabaseAddress(
              ownUrl,
              user,
              passwords.open(password, name),
              keyPassword == null ? "" : passwords.open(keyPassword, name));
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
          select cell_id, name, url, user_name, password, key_password, state = 'draining' as draining,
            0 as merchants, (to_jsonb(cell) ->> 'identity')::uuid as identity
          from cell order by cell_id
          """);

  private static final Sql ALL_WITH_MERCHANTS =
      Sql.of(
          """
          select c.cell_id, c.name, c.url, c.user_name, c.password, c.key_password,
            c.state = 'draining' as draining, count(m.merchant_id) as merchants,
            null::uuid as identity
          from cell c left join merchant m using (cell_id)
          group by c.cell_id order by c.cell_id
          """);

  private static final Sql ADD =
      Sql.of(
          """
          insert into cell (name, url, user_name, password, key_password, identity)
          values (:name, :url, :user, :password, :keyPassword, :identity)
          """);

  private static final Sql RESEAL =
      Sql.of(
          """
          update cell set password = :password, key_password = :keyPassword where cell_id = :cellId
          """);

  private static final Sql RELOCATE =
      Sql.of(
          """
          update cell set url = :url, user_name = :user, password = :password,
            key_password = :keyPassword
          where name = :name
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
      Connection connection, String name, DatabaseAddress address, Seal seal, UUID identity)
      throws SQLException {
    set(ADD.on(connection).set("identity", identity), name, address, seal).update();
  }

  private static Sql.Call set(Sql.Call statement, String name, DatabaseAddress address, Seal seal)
      throws SQLException {
    boolean isOwn = !address.user().isEmpty();
    String keyPassword = address.keyPassword();
    boolean hasKey = isOwn && !keyPassword.isEmpty();
    return statement
        .set("name", name)
        .set("url", address.jdbcUrl())
        .set("user", isOwn ? address.user() : null)
        .set("password", isOwn ? seal.seal(address.password(), name) : null)
        .set("keyPassword", hasKey ? seal.seal(keyPassword, name) : null);
  }

  /** Changes where the database of a cell is. */
  public static void relocate(
      Connection connection, String name, DatabaseAddress address, Seal seal) throws SQLException {
    set(RELOCATE.on(connection), name, address, seal).update();
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

  /** Encrypts the passwords of a cell again. */
  public static void reseal(Connection connection, Row row, Passwords passwords, Seal seal)
      throws SQLException {
    byte[] keyPassword = row.keyPassword;
    RESEAL
        .on(connection)
        .set("cellId", row.id)
        .set(
            "password",
            seal.seal(passwords.open(Objects.requireNonNull(row.password), row.name), row.name))
        .set(
            "keyPassword",
            keyPassword == null ? null : seal.seal(passwords.open(keyPassword, row.name), row.name))
        .update();
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
        row.getBytes("key_password"),
        row.getBoolean("draining"),
        row.getInt("merchants"),
        row.getObject("identity", UUID.class));
  }
}
