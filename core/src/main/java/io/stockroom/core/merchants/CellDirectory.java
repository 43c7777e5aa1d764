package io.stockroom.core.merchants;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.access.CellPasswords;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.CellIdentity;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds cells, changes their addresses, and shows their state. */
public final class CellDirectory {
  private static final Logger log = LoggerFactory.getLogger(CellDirectory.class);
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

  private static final Sql IN_RECOVERY = Sql.of("select 1 where pg_is_in_recovery()");
  private static final Sql ANY_MERCHANT = Sql.of("select 1 from merchant_data limit 1");

  /** A cell cannot be added or changed. */
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
   * @param roles of the directory
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
   * @param url may also contain user and password, which are taken out of it
   */
  public void add(
      String name, String url, @Nullable String user, @Nullable String password, Actor actor)
      throws SQLException, CellRejection {
    if (!NAME.matcher(name).matches()) {
      throw new CellRejection(ErrorCode.CELL_NAME, name);
    }
    if (row(name) != null) {
      throw new CellRejection(ErrorCode.CELL_EXISTS, name);
    }
    DatabaseAddress address = parse(url, user, password);
    DatabaseRoles own = roles(address);
    try (Database database = open(own)) {
      prepare(database, own, name);
      UUID identity = UUID.randomUUID();
      UUID found =
          database.writeOnce(
              connection -> {
                UUID claimed = CellIdentity.claim(connection, identity);
                if (claimed.equals(identity)) {
                  // within the transaction: a failure leaves no identity that nobody knows
                  list(name, address, identity, actor);
                }
                return claimed;
              });
      refuseCell(found.equals(identity) ? null : found);
    } catch (SQLException failure) {
      if (DUPLICATE.equals(failure.getSQLState())) {
        throw new CellRejection(ErrorCode.CELL_EXISTS, name);
      }
      throw failure;
    }
    cells.refresh();
  }

  private void list(String name, DatabaseAddress address, UUID identity, Actor actor)
      throws SQLException {
    cells
        .directory()
        .write(
            connection -> {
              CellTable.add(connection, name, address, sealedBy(connection), identity);
              audit.addFromDirectory(
                  connection, Audit.SERVER, actor, "cell.add", name, address.jdbcUrl());
              return name;
            });
  }

  /**
   * Stores a new address or login of a cell, whose database is there already. Every node uses it
   * within a second.
   *
   * @param url may also contain user and password, which are taken out of it
   */
  public void update(
      String name, String url, @Nullable String user, @Nullable String password, Actor actor)
      throws SQLException, CellRejection {
    CellTable.Row cell = row(name);
    if (cell == null) {
      throw new CellRejection(ErrorCode.CELL_MISSING, name);
    }
    if (cell.url() == null) {
      throw unusable(
          "the cell %s is in the database of the directory, which database.url names."
              .formatted(name));
    }
    DatabaseAddress address = parse(url, user, password);
    try (Database database = open(roles(address))) {
      requireCell(database, cell);
      refuseCopy(database, cell);
    }
    cells
        .directory()
        .write(
            connection -> {
              CellTable.relocate(connection, name, address, sealedBy(connection));
              audit.addFromDirectory(
                  connection, Audit.SERVER, actor, "cell.update", name, address.jdbcUrl());
              return name;
            });
    cells.refresh();
  }

  /**
   * Removes a cell without merchants from the directory; also one that cannot be reached. Every
   * node forgets it within a second. Its database stays, and may become a cell again.
   */
  public void remove(String name, Actor actor) throws SQLException, CellRejection {
    CellTable.Row cell = row(name);
    if (cell == null) {
      throw new CellRejection(ErrorCode.CELL_MISSING, name);
    }
    if (cell.id() == Cells.MAIN) {
      throw new CellRejection(
          ErrorCode.CELL_REFUSED,
          "the cell main is in the directory's database, and always stays.");
    }
    Cells.Cell known = cells.byId(cell.id());
    boolean isRemoved =
        cells
            .directory()
            .write(
                connection -> {
                  boolean isUnused = CellTable.remove(connection, cell.id());
                  if (isUnused) {
                    audit.addFromDirectory(
                        connection,
                        Audit.SERVER,
                        actor,
                        "cell.remove",
                        name,
                        String.valueOf(cell.url()));
                  }
                  return isUnused;
                });
    if (!isRemoved) {
      throw new CellRejection(
          ErrorCode.CELL_REFUSED,
          "the cell %s still has merchants or moves. Move them away first, with: stockroom cell drain %s"
              .formatted(name, name));
    }
    if (known != null) {
      forget(known);
    }
    cells.refresh();
  }

  private static void forget(Cells.Cell cell) {
    try {
      cell.database()
          .write(
              connection -> {
                CellIdentity.forget(connection);
                return cell;
              });
    } catch (SQLException unreachable) {
      log.info(
          "The database of the removed cell {} cannot be reached, so it keeps its identity.",
          cell.name());
    }
  }

  private void requireCell(Database database, CellTable.Row cell)
      throws SQLException, CellRejection {
    UUID found = database.<@Nullable UUID>read(CellIdentity::of);
    if (found == null) {
      throw unusable(
          "it is not that of the cell %s. Copy the old database there first."
              .formatted(cell.name()));
    }
    if (!found.equals(cell.identity())) {
      refuseCell(found);
    }
    if (database.read(connection -> IN_RECOVERY.on(connection).exists())) {
      throw unusable("it is a standby. Promote it first.");
    }
  }

  /** Nodes that do not know the new address yet would write to the old database. */
  private void refuseCopy(Database database, CellTable.Row cell)
      throws SQLException, CellRejection {
    Cells.Cell known = cells.byId(cell.id());
    boolean isCopy =
        known != null
            && database.write(
                connection -> {
                  AdvisoryLock.CELL_ADDRESS.hold(connection);
                  return isOtherPrimary(known.database());
                });
    if (isCopy) {
      throw unusable(
          "the database at the old address of the cell %s still answers, and is another one. Stop it first."
              .formatted(cell.name()));
    }
  }

  private static boolean isOtherPrimary(Database old) {
    try {
      return old.read(AdvisoryLock.CELL_ADDRESS::tryHold)
          && !old.read(connection -> IN_RECOVERY.on(connection).exists());
    } catch (SQLException unreachable) {
      return false;
    }
  }

  private CellTable.@Nullable Row row(String name) throws SQLException {
    return cells.directory().read(CellTable::all).stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private DatabaseRoles roles(DatabaseAddress address) throws CellRejection {
    try {
      return CellOpener.roles(roles, address);
    } catch (IllegalArgumentException noLogin) {
      throw unusable(String.valueOf(noLogin.getMessage()));
    }
  }

  private CellTable.Seal sealedBy(Connection connection) {
    return (password, cell) -> passwords.seal(connection, password, cell);
  }

  private static DatabaseAddress parse(String url, @Nullable String user, @Nullable String password)
      throws CellRejection {
    try {
      return DatabaseAddress.parse(
          url, Objects.requireNonNullElse(user, ""), Objects.requireNonNullElse(password, ""));
    } catch (IllegalArgumentException wrong) {
      throw unusable(String.valueOf(wrong.getMessage()));
    }
  }

  private static Database open(DatabaseRoles own) throws CellRejection {
    try {
      return new Database(own.owner(), CONNECTIONS, new SimpleMeterRegistry());
    } catch (RuntimeException unreachable) {
      Throwable cause = unreachable.getCause() == null ? unreachable : unreachable.getCause();
      throw unusable(String.valueOf(cause.getMessage()));
    }
  }

  /** Makes the tables, in a database that neither a directory nor a cell uses. */
  private void prepare(Database database, DatabaseRoles own, String name) throws CellRejection {
    try {
      if (Schema.DIRECTORY.isIn(database)) {
        throw unusable("it is the directory of a marketplace; a new cell needs an empty database.");
      }
      refuseCell(database.<@Nullable UUID>read(CellIdentity::of));
      Migrations.cell(database, own, name);
      if (database.read(connection -> ANY_MERCHANT.on(connection).exists())) {
        throw unusable("it already contains merchants; a new cell needs an empty database.");
      }
    } catch (SQLException | StartException failure) {
      throw unusable(String.valueOf(failure.getMessage()));
    }
  }

  /** Refuses the database of this cell; null is none. */
  private void refuseCell(@Nullable UUID identity) throws SQLException, CellRejection {
    if (identity == null) {
      return;
    }
    for (CellTable.Row row : cells.directory().read(CellTable::all)) {
      if (identity.equals(row.identity())) {
        throw unusable("it is the database of the cell %s already.".formatted(row.name()));
      }
    }
    throw unusable("it is the database of a cell of another marketplace.");
  }

  private static CellRejection unusable(String why) {
    return new CellRejection(ErrorCode.CELL_DATABASE, why);
  }
}
