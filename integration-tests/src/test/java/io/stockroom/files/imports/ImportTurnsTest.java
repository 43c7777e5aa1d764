package io.stockroom.files.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.settings.Settings;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.ImportOptions;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.server.testing.ScratchDatabase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which import runs next and how long one may take, on a database with no other node. */
class ImportTurnsTest {
  private static final String FILE = "artNo,title,price\nA1,Boot,5\n";
  private static ScratchDatabase scratch;
  private static Database database;

  @BeforeAll
  static void create() throws SQLException {
    scratch = ScratchDatabase.withTables();
    // a test uses one connection, an import two
    database = new Database(scratch.address(), 6, new SimpleMeterRegistry());
    Migrations.run(database);
  }

  @AfterAll
  static void drop() {
    database.close();
    scratch.close();
  }

  @Test
  void merchantsTakeTurns() throws Exception {
    int busy = merchant();
    int other = merchant();
    List<Integer> many = List.of(waiting(busy), waiting(busy), waiting(busy));
    int single = waiting(other);

    List<Integer> begun = new ArrayList<>();
    ImportClaims claims = new ImportClaims(Cells.single(database));
    for (int i = 0; i < 4; i++) {
      UUID holder = UUID.randomUUID();
      ImportJob job = Objects.requireNonNull(claims.claim(holder));
      begun.add(job.importId());
      assertThat(claims.finish(job, holder, ImportJob.State.FAILED, ImportReport.EMPTY, false))
          .isTrue();
    }

    assertThat(begun).containsExactly(many.get(0), single, many.get(1), many.get(2));
    assertThat(claims.claim(UUID.randomUUID())).isNull();
  }

  @Test
  void anImportThatTakesTooLongIsStoppedWithAReason() throws Exception {
    int merchant = merchant();
    try (Imports imports = imports("PT1S")) {
      ImportJob stopped =
          database.write(
              connection -> {
                try (Statement statement = connection.createStatement()) {
                  statement.execute(
                      "select 1 from merchant_data where merchant_id = %d for no key update"
                          .formatted(merchant));
                }
                return await(imports, merchant);
              });

      assertThat(stopped.state()).isEqualTo(ImportJob.State.FAILED);
      FileProblem reason = Objects.requireNonNull(stopped.report().reason());
      assertThat(reason.code()).isEqualTo(ErrorCode.IMPORT_TOO_SLOW);
      assertThat(reason.message(Language.ENGLISH))
          .startsWith("The import took longer than 1 s")
          .contains("Nothing was imported");
      assertThat(reason.message(Language.CHINESE)).contains("用时超过 1 秒");
    }
    assertThat(scratch.texts("select count(*) from product where merchant_id = " + merchant))
        .containsExactly("0");
    try (Imports imports = imports("PT30M")) {
      assertThat(await(imports, merchant).state()).isEqualTo(ImportJob.State.APPLIED);
    }
  }

  private static ImportJob await(Imports imports, int merchant) throws SQLException {
    try {
      ImportJob job =
          imports.submit(
              merchant,
              "p.csv",
              new ByteArrayInputStream(FILE.getBytes(StandardCharsets.UTF_8)),
              true,
              false,
              ImportOptions.NONE,
              new Actor("test", ""));
      return Objects.requireNonNull(
          imports.await(merchant, job.importId(), Duration.ofSeconds(50)));
    } catch (IOException | JobRejection refused) {
      throw new IllegalStateException(refused);
    }
  }

  private static Imports imports(String longest) {
    return new Imports(
        Cells.single(database),
        Clock.systemUTC(),
        Settings.with(Map.of("import.max-duration", longest)),
        _ -> EmbeddedPictures.NONE);
  }

  @Test
  void rejectsAZeroDuration() {
    assertThatThrownBy(() -> Settings.with(Map.of("import.max-duration", "PT0.5S")))
        .hasMessageContaining("import.max-duration");
  }

  private static int merchant() throws SQLException {
    return new Merchants(Cells.single(database), new Audit(Cells.single(database)))
        .create("M", "m", "M", new Actor("test", ""));
  }

  private static int waiting(int merchant) {
    return Integer.parseInt(
        scratch
            .texts(
                """
                insert into import (merchant_id, import_id, name, actor, address, state, apply,
                  skip_bad, bytes, guessed_encoding, options)
                values (%d, nextval('import_id'), 'p.csv', 'test', '', 'waiting', false, false, 1, '',
                  '%s')
                returning import_id
                """
                    .formatted(merchant, ImportOptions.NONE.json()))
            .getFirst());
  }
}
