package io.stockroom.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.database.CellIdentity;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.Schema;
import io.stockroom.core.database.TableCopy;
import io.stockroom.core.merchants.CellCheck;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A marketplace with a cell in the directory's database, and one in a database of its own. */
class CellBackupTest {
  private static final TableCopy.Watcher NO_WATCHER = (_, _) -> {};

  private static ScratchDatabase source;
  private static ScratchDatabase east;
  private static Path keys;
  private static Path whole;
  private static Path eastAlone;
  private static Api near;
  private static Api far;
  private static int nearProduct;
  private static int farProduct;
  private static String nearStock;
  private static String farStock;

  @BeforeAll
  static void fill(@TempDir Path folder) throws Exception {
    source = ScratchDatabase.withTables();
    east = new ScratchDatabase();
    keys = folder;
    try (Stockroom started = source.serve(keys)) {
      TestServer server = TestServer.of(started);
      Reply added =
          Admin.of(server)
              .post(
                  "/admin/cells",
                  """
                  {"name":"east","databaseUrl":"%s","databaseUser":"%s","databasePassword":"%s"}"""
                      .formatted(
                          east.address().jdbcUrl(),
                          east.address().user(),
                          east.address().password()));
      assertThat(added.status()).as(added.whole()).isEqualTo(201);
      TestMerchant here = TestMerchant.in("main", server);
      TestMerchant there = TestMerchant.in("east", server);
      nearProduct = here.product();
      farProduct = there.products(2).getLast();
      near = here.api();
      far = there.api();
      assertThat(near.create(Stock.one(nearProduct, "red", "36-40", 7)).success()).isTrue();
      assertThat(far.create(Stock.one(farProduct, "blue", "41-45", 9)).success()).isTrue();
      nearStock = near.stock(nearProduct).whole();
      farStock = far.stock(farProduct).whole();
    }
    whole = folder.resolve("whole.backup");
    eastAlone = folder.resolve("east.backup");
    try (MarketplaceDatabases from = source.marketplace(keys)) {
      Backup.write(from, whole, false, NO_WATCHER);
      Backup.writeCell(from, "east", eastAlone, false, NO_WATCHER);
    }
  }

  @AfterAll
  static void drop() {
    source.close();
    east.close();
  }

  @Test
  void restoresTheDirectoryAndEveryCell() throws Exception {
    try (ScratchDatabase target = new ScratchDatabase();
        ScratchDatabase targetEast = new ScratchDatabase()) {
      // an empty database that was another cell
      Migrations.run(targetEast.database(), List.of(Schema.CELL));
      targetEast.database().write(connection -> CellIdentity.claim(connection, UUID.randomUUID()));
      Restore.Restored restored = restore(whole, target, null, Map.of("east", targetEast));

      assertThat(restored.check().problems()).isEmpty();
      assertThat(restored.check().merchants()).isEqualTo(2);
      assertThat(restored.auditLog().intact()).isTrue();
      assertThat(restored.tokensToReview()).isEqualTo(2);
      assertThat(unmarked(target)).isEqualTo(unmarked(source));
      assertThat(unmarked(targetEast)).isEqualTo(unmarked(east)).isNotEqualTo(unmarked(source));
      assertThat(target.texts("select coalesce(url, '-') from cell order by cell_id"))
          .containsExactly("-", targetEast.address().jdbcUrl());

      try (Stockroom server = target.serve(keys)) {
        TestServer there = TestServer.of(server);
        assertThat(near.on(there).stock(nearProduct).whole()).isEqualTo(nearStock);
        assertThat(far.on(there).stock(farProduct).whole()).isEqualTo(farStock);
        assertThat(TestMerchant.in("east", there).product()).isEqualTo(farProduct + 1);
      }
    }
  }

  @Test
  void leavesOutAnUnreachableCellOnlyIfItHasNoMerchants() throws Exception {
    Path file = keys.resolve("left-out.backup");
    source.texts(
        """
        insert into cell (name, url) values ('gone', 'jdbc:postgresql://127.0.0.1:1/without-login')
        returning name
        """);
    try (MarketplaceDatabases from = source.marketplace(keys)) {
      assertThat(Backup.write(from, file, false, NO_WATCHER).leftOut()).containsExactly("gone");
      DatabaseAddress nowhere =
          new DatabaseAddress("jdbc:postgresql://127.0.0.1:1/none", "nobody", "none");
      from.directory()
          .write(
              connection -> {
                from.relocate(connection, "gone", nowhere);
                return nowhere;
              });
      assertThat(Backup.write(from, file, true, NO_WATCHER).leftOut()).containsExactly("gone");
      source.texts(
          """
          insert into merchant (name, store_url, store_name, cell_id)
          select 'a', 'a', 'a', cell_id from cell where name = 'gone' returning name
          """);
      assertThatThrownBy(() -> Backup.write(from, file, true, NO_WATCHER))
          .hasMessageContainingAll("cell gone at ", "127.0.0.1:1", "no file was written");
    } finally {
      source.texts("delete from merchant where store_url = 'a' returning 1");
      source.texts("delete from cell where name = 'gone' returning 1");
    }
    try (ScratchDatabase target = new ScratchDatabase();
        ScratchDatabase targetEast = new ScratchDatabase()) {
      Restore.Restored restored = restore(file, target, null, Map.of("east", targetEast));
      assertThat(restored.check().problems()).isEmpty();
      assertThat(target.texts("select name from cell order by cell_id"))
          .containsExactly("main", "east", "gone");
    }
  }

  @Test
  void restoresOneCellAndMovesTheSequences() throws Exception {
    try (ScratchDatabase target = new ScratchDatabase();
        ScratchDatabase lost = new ScratchDatabase();
        ScratchDatabase first = new ScratchDatabase();
        ScratchDatabase second = new ScratchDatabase()) {
      restore(whole, target, null, Map.of("east", lost));
      // as if the directory was older than the cell
      target.texts("select setval('product_id', 1)");

      Restore.Restored restored = restore(eastAlone, target, "east", Map.of("east", first));

      assertThat(restored.check().problems())
          .containsExactly(
              new CellCheck.Problem("east", "product-ids-ahead", 1, List.of(farProduct)));
      assertThat(target.texts("select last_value from product_id"))
          .containsExactly(Integer.toString(farProduct));
      assertThat(unmarked(first)).isEqualTo(unmarked(east));
      assertThat(target.texts("select url from cell where name = 'east'"))
          .containsExactly(first.address().jdbcUrl());

      restored = restore(whole, target, "east", Map.of("east", second));
      assertThat(restored.check().problems()).isEmpty();
      assertThat(unmarked(second)).isEqualTo(unmarked(east));
    }
  }

  @Test
  void restoresNothingIfACellIsNotEmpty() throws Exception {
    try (ScratchDatabase target = new ScratchDatabase()) {
      Map<String, String> before = east.checksums();
      // the address in the directory is that of the cell in use
      assertRefused("cell east is not empty", () -> restore(whole, target, null, Map.of()));
      assertThat(target.checksums().values()).containsOnly("0 ");
      assertThat(target.texts("select name from cell")).containsExactly("main");
      assertThat(east.checksums()).isEqualTo(before);
      assertRefused(
          "cell east already has schema version",
          () -> restore(whole, target, null, Map.of("east", target)));
    }
  }

  @Test
  void refusesWhatItCannotSaveOrRestore(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("none.backup");
    assertRefused("There is no cell west", () -> saveCell("west", file));
    assertRefused("The cell main is in the directory's database", () -> saveCell("main", file));
    assertRefused("secret.key", () -> Backup.write(source.marketplace(), file, false, NO_WATCHER));
    assertRefused("names west", () -> restore(whole, source, "east", Map.of("west", source)));
    assertRefused("only the cell east", () -> restore(eastAlone, source, null, Map.of()));
    assertRefused("does not contain", () -> restore(eastAlone, source, "west", Map.of()));
    source.texts(
        """
        insert into merchant_move (merchant_id, from_cell, to_cell, actor)
        select merchant_id, 2, 1, 'someone' from merchant where cell_id = 2 returning 1
        """);
    try {
      assertRefused("Merchants are moving", () -> saveCell("east", file));
    } finally {
      source.texts("delete from merchant_move returning 1");
    }
    assertThat(folder).isEmptyDirectory();
  }

  private static void assertRefused(String why, ThrowingCallable work) {
    assertThatThrownBy(work).isInstanceOf(BackupException.class).hasMessageContaining(why);
  }

  private static void saveCell(String cell, Path file) throws Exception {
    try (MarketplaceDatabases from = source.marketplace(keys)) {
      Backup.writeCell(from, cell, file, false, NO_WATCHER);
    }
  }

  private static Restore.Restored restore(
      Path file, ScratchDatabase directory, String cell, Map<String, ScratchDatabase> databases)
      throws Exception {
    Map<String, DatabaseAddress> addresses = new HashMap<>();
    databases.forEach((name, database) -> addresses.put(name, database.address()));
    try (BackupFile backup = BackupFile.open(file, NO_WATCHER);
        MarketplaceDatabases into = directory.marketplace(keys)) {
      Restore restore = new Restore(into, backup, addresses, NO_WATCHER);
      return cell == null ? restore.all() : restore.cell(cell);
    }
  }

  /** Checksums without the tables that a restore changes. */
  private static Map<String, String> unmarked(ScratchDatabase database) {
    Map<String, String> checksums = database.checksums();
    checksums.keySet().removeAll(List.of("access_token", "log_head", "cell_identity"));
    return checksums;
  }
}
