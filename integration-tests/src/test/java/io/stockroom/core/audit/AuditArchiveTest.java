package io.stockroom.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.database.Cells;
import io.stockroom.server.backup.AuditArchiving;
import io.stockroom.server.backup.BackupException;
import io.stockroom.server.testing.ScratchDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditArchiveTest {
  private static final Actor ACTOR = Actor.person("张@example.com", "10.0.0.1");

  @TempDir Path folder;

  private ScratchDatabase scratch;
  private Audit audit;

  @BeforeEach
  void open() throws SQLException {
    scratch = ScratchDatabase.withTables();
    audit = new Audit(Cells.single(scratch.database()));
    for (int i = 1; i <= 4; i++) {
      audit.note(7, ACTOR, "stock.create", "p " + i, "尺码 \"36\"\n");
      audit.note(8, ACTOR, "stock.create", "p " + i, "");
    }
  }

  @AfterEach
  void close() {
    scratch.close();
  }

  @Test
  void theLogAndItsArchivesProveEachOther() throws Exception {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    Instant between =
        Instant.parse(
            scratch
                .texts(
                    "select to_char(max(at) at time zone 'UTC',"
                        + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') from audit where merchant_id = 7"
                        + " and number = 3")
                .getFirst());

    assertThat(archive(first, between)).isEqualTo(4);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(first)))
        .isEqualTo("rw-------");
    assertThat(numbers(7)).containsExactly("3", "4");
    assertThat(audit.verify().intact()).isTrue();
    assertThat(archive(second, Instant.now().plusSeconds(60))).isEqualTo(2);
    assertThat(numbers(7)).as("the last one stays").containsExactly("4");

    audit.note(7, ACTOR, "stock.create", "p 5", "");
    Audit.Verdict verdict = audit.verify();
    assertThat(verdict.intact()).isTrue();
    assertThat(verdict.archived()).hasSize(2);
    assertThat(AuditArchive.verify(List.of(first, second), verdict.archived())).isEqualTo(6);
    assertThat(audit.page(7, 1).totalPages()).isEqualTo(1);
    assertThat(audit.page(7, 1).entries()).hasSize(2);
  }

  @Test
  void findsAChangedAMissingAndAnUnreadableArchive() throws Exception {
    Path file = folder.resolve("file");
    archive(file, Instant.now().plusSeconds(60));
    List<AuditArchive.End> ends = audit.verify().archived();
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(6);

    assertBroken(lines.stream().map(line -> line.replace("p 2", "p 3")).toList(), ends)
        .hasMessage("entry 2 of chain 7 does not follow from the entries before it");
    assertBroken(lines.subList(0, 5), ends)
        .hasMessage("the archives do not have entry 3 of chain 8, which the log follows from");
    assertBroken(lines.subList(1, 6), ends)
        .hasMessage("entry 2 of chain 7 does not follow from the entries before it");
    assertBroken(List.of("no entry"), ends).hasMessageContaining("no entry of an audit log");
    assertThatThrownBy(() -> AuditArchive.verify(List.of(), ends))
        .hasMessageContaining("do not have entry 3");
  }

  private org.assertj.core.api.AbstractThrowableAssert<?, ?> assertBroken(
      List<String> lines, List<AuditArchive.End> ends) throws IOException {
    Path changed = Files.write(folder.resolve("changed"), lines);
    return assertThatThrownBy(() -> AuditArchive.verify(List.of(changed), ends))
        .isInstanceOf(AuditArchive.Broken.class);
  }

  @Test
  void keepsWhatTheLogOfChangesNeeds() throws Exception {
    run(
        """
        insert into change_log (merchant_id, number, batch, kind, product_id, at, source, fields)
        values (7, 1, 2, 'product', 1, now(), 'console', '{}')
        """);

    assertThat(archive(folder.resolve("file"), Instant.now().plusSeconds(60))).isEqualTo(4);

    assertThat(numbers(7)).containsExactly("2", "3", "4");
    assertThat(numbers(8)).containsExactly("4");
  }

  @Test
  void writesNoFileWithoutEntriesAndReplacesNone() throws Exception {
    Path file = folder.resolve("file");
    assertThat(archive(file, Instant.parse("2000-01-01T00:00:00Z"))).isZero();
    assertThat(file).doesNotExist();

    Files.writeString(file, "mine");
    assertThatThrownBy(() -> archive(file, Instant.now()))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("exists");
    assertThat(file).hasContent("mine");
  }

  @Test
  void archivesNothingOfALogThatIsNotIntact() throws Exception {
    run("alter table audit disable trigger user");
    run("update audit set details = 'x' where merchant_id = 7 and number = 2");

    assertThatThrownBy(() -> archive(folder.resolve("file"), Instant.now().plusSeconds(60)))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("entry 2 of chain 7");
    assertThat(numbers(7)).hasSize(4);
  }

  @Test
  void onlyArchivedEntriesCanBeDeleted() throws Exception {
    run("update log_head set archived_number = 2 where merchant_id = 7");

    assertThatThrownBy(() -> run("delete from audit where merchant_id = 7 and number <= 3"))
        .hasMessageContaining("append-only");
    run("delete from audit where merchant_id = 7 and number <= 2");

    assertThat(audit.verify().intact()).as("without the hash").isFalse();
  }

  private long archive(Path file, Instant before) throws SQLException, IOException {
    return AuditArchiving.run(scratch.marketplace(), before, file);
  }

  private List<String> numbers(int merchantId) {
    return scratch.texts(
        "select number from audit where merchant_id = %d order by number".formatted(merchantId));
  }

  private void run(String sql) throws SQLException {
    scratch
        .database()
        .write(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
              }
            });
  }
}
