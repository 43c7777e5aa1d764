package io.stockroom.server.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.TableCopy;
import io.stockroom.protocol.Sha256;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access after a restore, and the files that a backup leaves out. */
class RestoredAccessTest {
  private static final TableCopy.Watcher NO_WATCHER = (_, _) -> {};
  private static ScratchDatabase source;
  private static Path keys;
  private static Path backup;
  private static Api works;
  private static Api revoked;
  private static String cursor;
  private static int merchantId;
  private static int importId;
  private static int badImportId;

  @TempDir Path folder;

  @BeforeAll
  static void fill(@TempDir Path keyFolder) throws Exception {
    source = ScratchDatabase.withTables();
    keys = keyFolder;
    backup = keyFolder.resolve("whole.backup");
    try (Stockroom server = source.serve(keys)) {
      TestServer started = TestServer.of(server);
      TestMerchant merchant = TestMerchant.on(started);
      merchantId = merchant.id();
      works = merchant.api();
      cursor = Feed.latest(works);
      revoked = merchant.application();
      // has expired by then
      merchant.token("\"expires\":\"PT1S\"");
      revoke(started, revoked);
      TestPerson.of(merchant);
      importId =
          merchant
              .imports()
              .plan("p.csv", "artNo,title,price\nA1,Boot,5\n")
              .json()
              .get("importId")
              .asInt();
      badImportId =
          merchant
              .imports()
              .apply("p.csv", "artNo,title,price\nA2,Boot,x\n")
              .json()
              .get("importId")
              .asInt();
      Backup.write(source.marketplace(), backup, false, NO_WATCHER);
    }
    assertThat(Eventually.within(Duration.ofSeconds(30), RestoredAccessTest::hasExpired)).isTrue();
    assertThat(source.texts("select count(*) from session")).containsExactly("1");
    assertThat(source.texts("select count(*) from person_link")).containsExactly("1");
    assertThat(source.texts("select count(distinct import_id) from import_piece"))
        .containsExactly("2");
  }

  private static boolean hasExpired() {
    return source
        .texts("select count(*) from access_token where expires_at < now()")
        .equals(List.of("1"));
  }

  @AfterAll
  static void drop() {
    source.close();
  }

  @Test
  void endsSessionsAndCursorsAndMarksActiveTokens() throws Exception {
    try (ScratchDatabase target = new ScratchDatabase()) {
      assertThat(restore(backup, target).tokensToReview()).isEqualTo(1);
      assertThat(target.texts("select count(*) from session")).containsExactly("0");
      assertThat(target.texts("select count(*) from person_link")).containsExactly("0");

      try (Stockroom server = target.serve(keys)) {
        TestServer started = TestServer.of(server);
        Admin admin = Admin.of(started);
        assertThat(works.on(started).products("page=1").status()).isEqualTo(200);
        assertThat(revoked.on(started).products("page=1").codes()).containsExactly("TOKEN_REVOKED");
        Reply followed = Feed.changes(works.on(started), "after=" + cursor);
        assertThat(followed.status()).isEqualTo(400);
        assertThat(followed.codes()).containsExactly("CURSOR_FORMAT");
        String next = Feed.latest(works.on(started));
        assertThat(Feed.changes(works.on(started), "after=" + next).status()).isEqualTo(200);
        assertThat(toReview(admin)).containsExactly(prefix(works));
        assertThat(all(admin)).hasSize(3);
        String page =
            Pages.of(TestPerson.with(started, "\"merchantId\":" + merchantId))
                .get("/console/applications/" + works.appid())
                .body();
        assertThat(page).contains("Restored, not reviewed");

        Reply reviewed =
            admin.post("/admin/tokens/review", "{\"token\":\"%s\"}".formatted(works.accesstoken()));

        assertThat(reviewed.status()).isEqualTo(200);
        assertThat(reviewed.json().get("restoredAt").isNull()).isTrue();
        assertThat(toReview(admin)).isEmpty();
        assertThat(works.on(started).products("page=1").status()).isEqualTo(200);
        assertThat(target.texts("select subject from audit where action = 'token.review'"))
            .containsExactly(prefix(works));
      }
    }
  }

  @Test
  void reviewsAllTokensOfOneMerchantOrOfAll() throws Exception {
    try (ScratchDatabase target = new ScratchDatabase()) {
      restore(backup, target);
      try (Stockroom server = target.serve(keys)) {
        Admin admin = Admin.of(TestServer.of(server));
        int other = merchantId + 1;
        assertThat(review(admin, "{}").codes()).containsExactly("FIELD_MISSING");
        assertThat(review(admin, "{\"all\":false}").codes()).containsExactly("FIELD_MISSING");
        assertThat(review(admin, "{\"token\":\"srt_none\"}").codes())
            .containsExactly("TOKEN_MISSING");
        assertThat(review(admin, "{\"all\":true,\"merchantId\":%d}".formatted(other)).body())
            .contains("\"reviewed\":0");
        assertThat(toReview(admin)).hasSize(1);
        assertThat(review(admin, "{\"all\":true}").body()).contains("\"reviewed\":1");
        assertThat(toReview(admin)).isEmpty();
      }
    }
  }

  @Test
  void reportsThatImportFilesAreMissing() throws Exception {
    try (ScratchDatabase target = new ScratchDatabase()) {
      restore(backup, target);
      assertThat(target.texts("select count(*) from import_piece")).containsExactly("0");
      try (Stockroom server = target.serve(keys)) {
        Admin admin = Admin.of(TestServer.of(server));
        String imports = "/admin/merchants/" + merchantId + "/imports/";
        Reply planned = admin.get(imports + importId);
        assertThat(planned.json().get("state").asString()).isEqualTo("failed");
        assertThat(planned.json().get("reason").asString())
            .isEqualTo(
                "The file of import %d is no longer kept. Import it anew.".formatted(importId));
        assertThat(admin.post(imports + importId + "/plan", "").codes())
            .containsExactly("IMPORT_FILE_GONE");
        Reply refused = admin.get(imports + badImportId);
        assertThat(refused.json().get("state").asString()).isEqualTo("refused");
        assertThat(admin.get(imports + badImportId + "/rejected").codes())
            .containsExactly("REJECTED_MISSING");
      }
    }
  }

  /** Older backups still contain files and sessions. */
  @Test
  void ignoresFilesAndSessionsInOldBackups() throws Exception {
    Path older = folder.resolve("older.backup");
    try (ScratchDatabase target = new ScratchDatabase()) {
      addTables(
          backup,
          older,
          new Extra(
              "session",
              List.of("hash", "person_id", "created_at", "last_used_at", "address", "browser"),
              "\\\\x00\t1\t2026-01-01 00:00:00+00\t2026-01-01 00:00:00+00\t\t\n"),
          new Extra(
              "import_piece",
              List.of("merchant_id", "import_id", "rejected", "number", "content", "stored_at"),
              "1\t1\tf\t0\t\\\\x00\t2026-01-01 00:00:00+00\n"));

      assertThat(restore(older, target).auditLog().intact()).isTrue();

      assertThat(target.texts("select count(*) from session")).containsExactly("0");
      assertThat(target.texts("select count(*) from import_piece")).containsExactly("0");
    }
  }

  private record Extra(String table, List<String> columns, String rows) {}

  private static void addTables(Path from, Path to, Extra... extras) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipFile newer = new ZipFile(from.toFile());
        ZipOutputStream zip = new ZipOutputStream(bytes, UTF_8)) {
      zip.setComment(BackupLayout.comment("0".repeat(BackupLayout.DIGEST_CHARACTERS)));
      for (ZipEntry entry : newer.stream().toList()) {
        if (!entry.getName().equals(BackupLayout.MANIFEST)) {
          zip.putNextEntry(new ZipEntry(entry.getName()));
          newer.getInputStream(entry).transferTo(zip);
          zip.closeEntry();
        }
      }
      Manifest manifest =
          Manifest.read(newer.getInputStream(newer.getEntry(BackupLayout.MANIFEST)));
      List<Manifest.Table> tables = new ArrayList<>(manifest.tables());
      for (Extra extra : extras) {
        zip.putNextEntry(new ZipEntry(BackupLayout.entry(manifest, extra.table)));
        TableOutputStream part = new TableOutputStream(extra.table, zip, NO_WATCHER);
        part.write(extra.rows.getBytes(UTF_8));
        tables.add(part.summary(extra.columns));
        zip.closeEntry();
      }
      zip.putNextEntry(new ZipEntry(BackupLayout.MANIFEST));
      zip.write(manifest.withTables(tables).json());
      zip.closeEntry();
    }
    byte[] whole = bytes.toByteArray();
    int end = whole.length - BackupLayout.DIGEST_CHARACTERS;
    MessageDigest digest = Sha256.digest();
    digest.update(whole, 0, end);
    byte[] seal = HexFormat.of().formatHex(digest.digest()).getBytes(UTF_8);
    System.arraycopy(seal, 0, whole, end, seal.length);
    Files.write(to, whole);
  }

  private static void revoke(TestServer server, Api api) {
    Reply reply =
        Admin.of(server)
            .post("/admin/tokens/revoke", "{\"token\":\"%s\"}".formatted(api.accesstoken()));
    assertThat(reply.status()).isEqualTo(200);
  }

  private static Restore.Restored restore(Path file, ScratchDatabase target) throws Exception {
    try (BackupFile opened = BackupFile.open(file, NO_WATCHER)) {
      return new Restore(target.marketplace(), opened, Map.of(), NO_WATCHER).all();
    }
  }

  private static Reply review(Admin admin, String body) {
    return admin.post("/admin/tokens/review", body);
  }

  private static List<String> toReview(Admin admin) {
    return prefixes(admin.get("/admin/tokens?review=true"));
  }

  private static List<String> all(Admin admin) {
    return prefixes(admin.get("/admin/tokens?review=false"));
  }

  private static List<String> prefixes(Reply reply) {
    return reply
        .json()
        .get("tokens")
        .valueStream()
        .map(token -> token.get("prefix").asString())
        .toList();
  }

  private static String prefix(Api api) {
    return api.accesstoken().substring(0, 12);
  }
}
