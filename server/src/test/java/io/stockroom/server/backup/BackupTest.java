package io.stockroom.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.server.Stockroom;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.Migrations;
import io.stockroom.server.database.SchemaVersion;
import io.stockroom.server.database.TableCopy;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
  private static final TableCopy.Watcher NOBODY = (_, _) -> {};

  @TempDir Path folder;

  @Test
  void roundTripGivesTheSameTablesAndSequences() throws Exception {
    Path file = folder.resolve("whole.backup");
    try (ScratchDatabase source = filled();
        ScratchDatabase target = new ScratchDatabase()) {
      Backup.Made made = Backup.write(source.database(), file, false, NOBODY);
      Audit.Verdict trail = restore(file, target);

      assertThat(target.checksums()).isEqualTo(source.checksums());
      assertThat(sequences(target)).isEqualTo(sequences(source));
      assertThat(trail).isEqualTo(new Audit(source.database()).verify());
      assertThat(trail.intact()).isTrue();
      assertThat(made.bytes()).isEqualTo(Files.size(file));
      assertThat(source.texts("select count(*) from audit").getFirst()).isNotEqualTo("0");
      assertThat(filesIn(folder)).containsExactly("keys", "whole.backup");
    }
  }

  @Test
  void aServerOnTheRestoredDatabaseAnswersAsBefore() throws Exception {
    Path file = folder.resolve("whole.backup");
    Path keys = Files.createDirectory(folder.resolve("keys"));
    try (ScratchDatabase source = new ScratchDatabase();
        ScratchDatabase target = new ScratchDatabase()) {
      Api api;
      int pid;
      int merchantId;
      String before;
      try (Stockroom server = source.serve(keys)) {
        TestMerchant merchant = TestMerchant.on(TestServer.of(server));
        api = merchant.api();
        merchantId = merchant.id();
        pid = merchant.product();
        assertThat(api.create(Stock.one(pid, "红\\\\n", "36-40", 7)).success()).isTrue();
        before = api.stock(pid).whole();
      }
      Backup.write(source.database(), file, false, NOBODY);
      // tables without rows, as a first start leaves them
      target.serve(keys).close();
      restore(file, target);

      try (Stockroom server = target.serve(keys)) {
        assertThat(api.on(TestServer.of(server)).stock(pid).whole()).isEqualTo(before);
        TestMerchant next = TestMerchant.on(TestServer.of(server));
        assertThat(next.id()).isEqualTo(merchantId + 1);
        assertThat(next.product()).isEqualTo(pid + 1);
      }
    }
  }

  @Test
  void isConsistentWhileWritesGoOn() throws Exception {
    Path file = folder.resolve("busy.backup");
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    try (ScratchDatabase source = new ScratchDatabase();
        ScratchDatabase target = new ScratchDatabase()) {
      List<String> before;
      try (Stockroom server = source.serve(folder)) {
        TestMerchant merchant = TestMerchant.on(TestServer.of(server));
        List<Integer> pids = merchant.products(20);
        Thread client = Thread.ofVirtual().start(() -> create(merchant.api(), pids, acknowledged));
        assertThat(Eventually.within(Duration.ofSeconds(60), () -> acknowledged.size() >= 40))
            .isTrue();
        before = List.copyOf(acknowledged);
        Backup.write(source.database(), file, false, NOBODY);
        assertThat(client.isAlive()).as("writes went on").isTrue();
        client.interrupt();
        assertThat(client.join(Duration.ofSeconds(60))).isTrue();
      }
      restore(file, target);

      assertThat(target.texts("select product_id || ' ' || colour from stock_colour"))
          .containsAll(before)
          .hasSizeGreaterThanOrEqualTo(before.size());
      assertThat(target.texts(INCONSISTENCIES)).isEmpty();
      assertThat(new Audit(target.database()).verify().intact()).isTrue();
    }
  }

  private static final String INCONSISTENCIES =
      """
      select 'entry without colour' from stock_entry e
      left join stock_colour c using (merchant_id, product_id, colour_no) where c.colour is null
      union all
      select 'colour with other than 100 sizes' from stock_colour c
      where 100 <> (select count(*) from stock_entry e where e.product_id = c.product_id
        and e.colour_no = c.colour_no)
      union all
      select 'wrong block' from product_block b where level = 0 and with_stock <>
        (select count(*) from product p where p.merchant_id = b.merchant_id
          and p.number / 256 = b.block and p.has_stock)
      union all
      select 'stocked without entry' from product p where has_stock <> exists (
        select 1 from stock_entry e where e.product_id = p.product_id)
      """;

  private static void create(Api api, List<Integer> pids, Queue<String> acknowledged) {
    try {
      for (int i = 0; i < 480 && !Thread.currentThread().isInterrupted(); i++) {
        int pid = pids.get(i % pids.size());
        if (api.create(Stock.one(pid, "c" + i, "1-100", i)).success()) {
          acknowledged.add(pid + " c" + i);
        }
      }
    } catch (UncheckedIOException | IllegalStateException stopped) {
      // The test has seen enough; whether this last request counts is unknown.
    }
  }

  @Test
  void refusesAFileWithOneDamagedByteWhereverItIs() throws Exception {
    Path file = small();
    byte[] whole = Files.readAllBytes(file);
    try (BackupFile backup = BackupFile.open(file, NOBODY)) {
      assertThat(backup.manifest().rows()).isPositive();
    }

    for (int at = 0; at < whole.length; at += Math.max(1, whole.length / 200)) {
      assertRefused(whole, at);
    }
    for (int at = whole.length - Layout.TAIL_BYTES - 30; at < whole.length; at++) {
      assertRefused(whole, at);
    }
  }

  private void assertRefused(byte[] whole, int at) throws Exception {
    byte[] damaged = whole.clone();
    damaged[at] ^= 1;
    Path file = Files.write(folder.resolve("damaged.backup"), damaged);

    assertThatThrownBy(() -> BackupFile.open(file, NOBODY))
        .as("byte " + at)
        .isInstanceOf(BackupRefused.class)
        .hasMessageMatching(".*( is damaged: | is cut off: | is not a backup).*");
  }

  @Test
  void saysThatAFileIsCutOff() throws Exception {
    byte[] whole = Files.readAllBytes(small());
    for (int length : new int[] {Layout.HEAD_BYTES, whole.length / 2, whole.length - 1}) {
      Path cut = Files.write(folder.resolve("cut.backup"), Arrays.copyOf(whole, length));

      assertThatThrownBy(() -> BackupFile.open(cut, NOBODY))
          .isInstanceOf(BackupRefused.class)
          .hasMessageContaining("is cut off");
    }
  }

  @Test
  void refusesFilesThatAreNoBackups() throws Exception {
    Path text = Files.writeString(folder.resolve("notes.txt"), "not a backup at all ".repeat(50));
    Path empty = Files.createFile(folder.resolve("empty"));

    assertThatThrownBy(() -> BackupFile.open(text, NOBODY))
        .hasMessage(text + " is not a backup of Stockroom.");
    assertThatThrownBy(() -> BackupFile.open(empty, NOBODY)).hasMessage(empty + " is empty.");
    assertThatThrownBy(() -> BackupFile.open(folder, NOBODY)).hasMessageContaining("not a file");
    assertThatThrownBy(() -> BackupFile.open(folder.resolve("none"), NOBODY))
        .hasMessageContaining("There is no file");
  }

  @Test
  void refusesADatabaseWithRowsAndLeavesItUntouched() throws Exception {
    Path file = small();
    try (ScratchDatabase target = filled()) {
      Map<String, String> before = target.checksums();

      assertThatThrownBy(() -> restore(file, target))
          .isInstanceOf(BackupRefused.class)
          .hasMessageContaining("not empty");
      assertThat(target.checksums()).isEqualTo(before);
    }
  }

  @Test
  void refusesABackupWithTablesOfANewerVersionBeforeItWritesAnything() throws Exception {
    Path file = folder.resolve("newer.backup");
    try (ScratchDatabase source = new ScratchDatabase();
        ScratchDatabase target = new ScratchDatabase()) {
      Migrations.run(source.database());
      source.texts(
          """
          insert into flyway_schema_history (installed_rank, version, description, type, script,
            checksum, installed_by, execution_time, success)
          values (999, '999', 'later', 'SQL', 'V999__later.sql', 1, 'later', 1, true)
          returning version
          """);
      Backup.write(source.database(), file, false, NOBODY);

      assertThatThrownBy(() -> restore(file, target))
          .isInstanceOf(BackupRefused.class)
          .hasMessageContaining("version 999");
      assertThat(target.checksums()).isEmpty();
    }
  }

  @Test
  void bringsABackupOfOlderTablesForward() throws Exception {
    Path file = folder.resolve("older.backup");
    try (ScratchDatabase source = new ScratchDatabase();
        ScratchDatabase target = new ScratchDatabase();
        ScratchDatabase started = new ScratchDatabase()) {
      SchemaVersion.bringTo(source.database(), "1");
      source.texts(
          """
          insert into merchant (name, store_url, store_name) values ('Old', 'old', 'Old shop')
          returning merchant_id
          """);
      Backup.write(source.database(), file, false, NOBODY);

      assertThat(restore(file, target).intact()).isTrue();
      assertThat(target.texts("select name || limits from merchant")).containsExactly("Old{}");
      assertThat(target.texts("select merchant_id from detail_account")).containsExactly("1");
      assertThat(SchemaVersion.current(target.database()))
          .isEqualTo(SchemaVersion.newest(target.database()));
      Migrations.run(started.database());
      assertThatThrownBy(() -> restore(file, started))
          .isInstanceOf(BackupRefused.class)
          .hasMessageContaining("that no server has used yet");
    }
  }

  @Test
  void replacesAFileOnlyWhenTold() throws Exception {
    Path file = small();
    byte[] first = Files.readAllBytes(file);
    try (ScratchDatabase source = new ScratchDatabase()) {
      Migrations.run(source.database());

      assertThatThrownBy(() -> Backup.write(source.database(), file, false, NOBODY))
          .isInstanceOf(BackupRefused.class)
          .hasMessageContaining("--force");
      assertThat(Files.readAllBytes(file)).isEqualTo(first);
      Backup.write(source.database(), file, true, NOBODY);
      assertThat(Files.readAllBytes(file)).isNotEqualTo(first);
    }
  }

  @Test
  void refusesADatabaseWithoutTables() {
    try (ScratchDatabase source = new ScratchDatabase()) {
      assertThatThrownBy(
              () -> Backup.write(source.database(), folder.resolve("none"), false, NOBODY))
          .isInstanceOf(BackupRefused.class)
          .hasMessageContaining("nothing to back up");
    }
  }

  @Test
  void leavesNothingWhereItFailsInTheMiddle() throws Exception {
    Path file = folder.resolve("half.backup");
    try (ScratchDatabase source = filled()) {
      assertThatThrownBy(() -> Backup.write(source.database(), file, false, failingAt("product")))
          .hasMessage("enough");
      assertThat(filesIn(folder)).containsExactly("keys");

      Backup.write(source.database(), file, false, NOBODY);
      try (ScratchDatabase target = new ScratchDatabase();
          BackupFile backup = BackupFile.open(file, NOBODY)) {
        assertThatThrownBy(() -> Restore.run(target.database(), backup, failingAt("stock_entry")))
            .hasMessage("enough");
        assertThat(target.checksums().values()).containsOnly("0 ");

        restore(file, target);
        assertThat(target.checksums()).isEqualTo(source.checksums());
      }
    }
  }

  @Test
  void leavesNoFileOfItsNameWhenItIsKilledAndTheNextBackupClearsTheRest() throws Exception {
    Path file = folder.resolve("killed.backup");
    try (ScratchDatabase source = filled()) {
      try (BackupOwner owner = BackupOwner.start(source.address(), file)) {
        assertThat(filesIn(folder)).anyMatch(name -> name.endsWith(".partial"));
        owner.kill();
      }
      assertThat(file).doesNotExist();

      Backup.write(source.database(), file, false, NOBODY);
      assertThat(filesIn(folder)).containsExactly("keys", "killed.backup");
      BackupFile.open(file, NOBODY).close();
    }
  }

  private static TableCopy.Watcher failingAt(String table) {
    return (copied, _) -> {
      if (copied.equals(table)) {
        throw new IllegalStateException("enough");
      }
    };
  }

  private static Audit.Verdict restore(Path file, ScratchDatabase target) throws Exception {
    try (BackupFile backup = BackupFile.open(file, NOBODY)) {
      return Restore.run(target.database(), backup, NOBODY);
    }
  }

  private Path small() throws Exception {
    Path file = folder.resolve("small.backup");
    try (ScratchDatabase source = filled()) {
      Backup.write(source.database(), file, false, NOBODY);
    }
    return file;
  }

  /** Something in most tables, through a server that has stopped again. */
  private ScratchDatabase filled() throws Exception {
    ScratchDatabase source = new ScratchDatabase();
    Path keys = folder.resolve("keys");
    try (Stockroom server = source.serve(keys)) {
      TestMerchant merchant = TestMerchant.on(TestServer.of(server));
      List<Integer> pids = merchant.products(3);
      assertThat(merchant.api().create(Stock.one(pids.get(1), "红\\\\n", "36-40", 5)).success())
          .isTrue();
      assertThat(merchant.api().detail(pids.get(0)).status()).isEqualTo(200);
    }
    return source;
  }

  private static List<String> sequences(ScratchDatabase database) {
    return database.texts(
        "select sequencename || ' ' || coalesce(last_value, 0) from pg_sequences order by 1");
  }

  private static List<String> filesIn(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
