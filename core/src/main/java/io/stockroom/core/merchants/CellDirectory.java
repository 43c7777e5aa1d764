package io.stockroom.core.merchants;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.access.CellPasswords;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.CellOpener;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.database.Failures;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.Schema;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.StartException;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Adds cells and shows their state. */
public final class CellDirectory {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");
  private static final int CONNECTIONS = 2;
  private static final String DUPLICATE = "23505";

  private static final Sql STATE =
      Sql.of(
          """
          select pg_database_size(current_database()) as bytes, connections, load,
            case when not pg_is_in_recovery() then (
              select max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint
              from pg_stat_replication where pid not in (
                select active_pid from pg_replication_slots
                where slot_type = 'logical' and active_pid is not null)
            ) end as lag
          from (
            select count(*) as connections, count(*) filter (
              where state = 'active' and pid <> pg_backend_pid()) as load
            from pg_stat_activity where datname = current_database()
          ) a
          """);

  private static final Sql ANY_MERCHANT = Sql.of("select 1 from merchant_data limit 1");

  /** A cell cannot be added. */
  public static final class CellRejection extends Exception {
    private final ErrorCode code;
    private final String argument;

    private CellRejection(ErrorCode code, String argument) {
      super(code + " " + argument);
      this.code = code;
      this.argument = argument;
    }

    public ErrorCode code() {
      return code;
    }

    public String argument() {
      return argument;
    }
  }

  /**
   * The state of a cell.
   *
   * @param url where its database is, without a password; null if it is the directory's
   * @param state null if the database cannot be reached
   * @param trouble why it cannot be reached; empty if it can
   */
  public record Shown(
      String name,
      @Nullable String url,
      boolean isDraining,
      int merchants,
      @Nullable State state,
      String trouble) {}

  /**
   * The state of a database that can be reached.
   *
   * @param connections all of them, also those of others
   * @param load how many of them execute a statement now
   * @param lagBytes how much of the log the last standby has not applied yet; null if there is
   *     none, or if the role may not see it
   */
  public record State(
      long bytes, int connections, int load, @Nullable Long lagBytes, String schemaVersion) {}

  private final Cells cells;
  private final DatabaseRoles roles;
  private final CellPasswords passwords;
  private final Audit audit;

  /**
   * @param roles of the directory; also of cells without a user of their own
   */
  public CellDirectory(Cells cells, DatabaseRoles roles, CellPasswords passwords, Audit audit) {
    this.cells = cells;
    this.roles = roles;
    this.passwords = passwords;
    this.audit = audit;
  }

  /** Every cell; a cell that cannot be reached costs a short wait. */
  public List<Shown> all() throws SQLException {
    List<Shown> shown = new ArrayList<>();
    for (CellTable.Row row : cells.directory().read(CellTable::withMerchants)) {
      Cells.Cell cell =
          cells.all().stream().filter(each -> each.id() == row.id()).findFirst().orElse(null);
      @Nullable State state = null;
      String trouble = "";
      try {
        state = cell == null ? null : state(cell.database());
        if (cell == null) {
          trouble = cells.unusable().getOrDefault(row.name(), "not opened yet");
        }
      } catch (SQLException unreachable) {
        trouble = Failures.reason(unreachable);
      }
      shown.add(
          new Shown(row.name(), row.url(), row.isDraining(), row.merchants(), state, trouble));
    }
    return shown;
  }

  private static State state(Database database) throws SQLException {
    String version = Objects.requireNonNullElse(Schema.CELL.version(database), "none");
    return database.read(
        connection ->
            STATE
                .on(connection)
                .one(
                    row ->
                        new State(
                            row.getLong("bytes"),
                            row.getInt("connections"),
                            row.getInt("load"),
                            row.getObject("lag", Long.class),
                            version)));
  }

  /**
   * Adds a cell: makes its tables, and then lists it in the directory. Every node uses it within a
   * second.
   *
   * @param user null for the directory's user and password
   */
  public void add(
      String name, String url, @Nullable String user, @Nullable String password, Actor actor)
      throws SQLException, CellRejection {
    if (!NAME.matcher(name).matches()) {
      throw new CellRejection(ErrorCode.CELL_NAME, name);
    }
    if (cells.directory().read(connection -> CellTable.named(connection, name) != null)) {
      throw new CellRejection(ErrorCode.CELL_EXISTS, name);
    }
    DatabaseAddress address = parse(url, user, password);
    DatabaseRoles own =
        CellOpener.roles(roles, address.jdbcUrl(), address.user(), address.password());
    prepare(name, own);
    boolean isOwnUser = !address.user().isEmpty();
    try {
      cells
          .directory()
          .write(
              connection -> {
                byte[] sealed =
                    isOwnUser ? passwords.seal(connection, address.password(), name) : null;
                CellTable.add(
                    connection, name, address.jdbcUrl(), isOwnUser ? address.user() : null, sealed);
                audit.addFromDirectory(
                    connection, Audit.SERVER, actor, "cell.add", name, address.jdbcUrl());
                return name;
              });
    } catch (SQLException failure) {
      if (DUPLICATE.equals(failure.getSQLState())) {
        throw new CellRejection(ErrorCode.CELL_EXISTS, name);
      }
      throw failure;
    }
    cells.refresh();
  }

  /** The cell that is in this database already; two URLs may lead to one. Null if there is none. */
  private @Nullable String userOf(Database database) throws SQLException {
    return database.<@Nullable String>write(
        connection -> {
          AdvisoryLock.NEW_CELL.hold(connection);
          for (Cells.Cell cell : cells.all()) {
            if (isLocked(cell.database())) {
              return cell.name();
            }
          }
          return null;
        });
  }

  private static boolean isLocked(Database database) {
    try {
      return !database.read(AdvisoryLock.NEW_CELL::tryHold);
    } catch (SQLException unreachable) {
      return false;
    }
  }

  private static DatabaseAddress parse(String url, @Nullable String user, @Nullable String password)
      throws CellRejection {
    try {
      return DatabaseAddress.parse(
          url, Objects.requireNonNullElse(user, ""), Objects.requireNonNullElse(password, ""));
    } catch (IllegalArgumentException wrong) {
      throw new CellRejection(ErrorCode.CELL_DATABASE, String.valueOf(wrong.getMessage()));
    }
  }

  /** Makes the tables, in a database that no other cell uses. */
  private void prepare(String name, DatabaseRoles own) throws CellRejection {
    try (Database database = new Database(own.owner(), CONNECTIONS, new SimpleMeterRegistry())) {
      Migrations.cell(database, own, name);
      if (database.read(connection -> ANY_MERCHANT.on(connection).exists())) {
        throw new CellRejection(
            ErrorCode.CELL_DATABASE,
            "it already contains merchants; a new cell needs an empty database.");
      }
      String user = userOf(database);
      if (user != null) {
        throw new CellRejection(
            ErrorCode.CELL_DATABASE, "it is the database of the cell %s already.".formatted(user));
      }
    } catch (SQLException | StartException unusable) {
      throw new CellRejection(ErrorCode.CELL_DATABASE, String.valueOf(unusable.getMessage()));
    } catch (RuntimeException unreachable) {
      Throwable cause = unreachable.getCause() == null ? unreachable : unreachable.getCause();
      throw new CellRejection(ErrorCode.CELL_DATABASE, String.valueOf(cause.getMessage()));
    }
  }
}
