package io.stockroom.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The permissions of the server's database role. */
class ServerRoleTest {
  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "copy product to program 'true'",
        "create temp table t (line text); copy t from program 'id'",
        "create temp table t (line text); copy t from '/etc/hostname'",
        "select pg_read_file('/etc/hostname')",
        "create role other superuser",
        "alter role stockroom_server superuser",
        "alter system set fsync = off",
        "create table mine (id int)",
        "alter table product add column mine int",
        "drop table product",
        "truncate product",
        "update audit set action = ''",
        "delete from audit",
        "delete from flyway_cell_history",
        "set session_replication_role = replica"
      })
  void thePoolCanOnlyAccessRows(String sql) {
    assertThatThrownBy(() -> run(TestServer.shared().database(), sql))
        .isInstanceOfSatisfying(
            SQLException.class,
            refused -> assertThat(refused.getSQLState()).isEqualTo(INSUFFICIENT_PRIVILEGE));
  }

  @Test
  void thePoolReadsAndWritesRows() throws Exception {
    Sql rename =
        Sql.of("update merchant set name = 'renamed' where merchant_id = :id returning name");
    Sql delete = Sql.of("delete from node where false");
    int merchantId = TestMerchant.fresh().id();
    Database database = TestServer.shared().directory();

    assertThat(
            database.<String>write(
                connection ->
                    rename.on(connection).set("id", merchantId).one(row -> row.getString("name"))))
        .isEqualTo("renamed");
    assertThat(database.<Integer>write(connection -> delete.on(connection).update())).isZero();
  }

  @Test
  void postgresRunsAsAnotherAccountIfThatReachesItsFolder() throws Exception {
    assumeTrue(CurrentUser.isRoot(), "only root has another account to give it to");
    long postgres =
        Long.parseLong(
            Files.readAllLines(TestServer.shared().dataFolder().resolve("postgres/postmaster.pid"))
                .getFirst());

    assertThat(PostgresAccount.owner(Path.of("/proc/" + postgres))).isNotZero();
  }

  @Test
  void aFolderThatOnlyRootReachesWorksAndChangesOwner() throws Exception {
    assumeTrue(CurrentUser.isRoot(), "only root has another account to give it to");
    Path open = Files.createTempDirectory("stockroom-role-");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      assertThat(ownerAfterStart(open.resolve("data"))).isNotZero();
      Path closed = Files.move(open.resolve("data"), folder.resolve("data"));
      assertThat(ownerAfterStart(closed)).isZero();
      assertThat(ownerAfterStart(Files.move(closed, open.resolve("data")))).isNotZero();
    } finally {
      PostgresArchive.deleteTree(open);
    }
  }

  private static int ownerAfterStart(Path place) throws IOException {
    try (DataFolder data = DataFolder.open(place)) {
      data.hold();
      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(data)) {
        int owner = PostgresAccount.owner(Path.of("/proc/" + postgres.pid()));
        assertThat(PostgresAccount.owner(place.resolve("postgres"))).isEqualTo(owner);
        return owner;
      }
    }
  }

  @Test
  void anExternalDatabaseCanHaveAnOwnerAndAServerRole() throws Exception {
    DatabaseAddress owner = OwnDatabase.create();
    String role = "outside_server";
    try (Database asOwner = new Database(owner, 2, new SimpleMeterRegistry())) {
      run(asOwner, "create role " + role + " login password 'for-this-test'");
      Map<String, String> settings = new HashMap<>(OwnDatabase.settings(owner));
      settings.putAll(
          Map.of(
              "database.user",
              role,
              "database.password",
              "for-this-test",
              "database.migration-user",
              owner.user(),
              "database.migration-password",
              owner.password()));
      try (Stockroom server = Stockroom.start(folder, Settings.with(settings))) {
        assertThatThrownBy(() -> run(server.cells().directory(), "drop table product"))
            .isInstanceOf(SQLException.class);
        run(server.cells().directory(), "select count(*) from product");
      }
    } finally {
      try (Database asOwner = new Database(owner, 2, new SimpleMeterRegistry())) {
        run(asOwner, "drop owned by " + role + "; drop role " + role);
      }
    }
  }

  private static void run(Database database, String sql) throws SQLException {
    database.read(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
  }
}
