package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What health and metrics tell of a server, whose database no other test uses. */
class SignalsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String WRITABLE = "stockroom_database_writable{database=\"directory\"}";

  @TempDir static Path folder;

  private static Stockroom server;

  @BeforeAll
  static void start() {
    server = Stockroom.start(folder, Settings.with(OwnDatabase.settings(OwnDatabase.withTables())));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void whatAlertsCountExistsBeforeTheFirstEvent() {
    for (String code : new String[] {"INTERNAL", "UNAVAILABLE", "CREDENTIALS_WRONG"}) {
      assertThat(
              metric("stockroom_rejections_total{code=\"%s\",path=\"/Changes\"}".formatted(code)))
          .isEqualTo("0.0");
    }
    assertThat(metric("stockroom_webhook_deliveries_seconds_count{outcome=\"timeout\"}"))
        .isEqualTo("0");
    assertThat(metric("stockroom_webhook_deliveries_seconds_count{outcome=\"success\"}"))
        .isEqualTo("0");
    assertThat(metric(WRITABLE)).isEqualTo("1.0");
  }

  /** PostgreSQL answers as it does when its disk is full, until the trigger is gone. */
  @Test
  void saysThatWritesFailWhileReadsWork() throws Exception {
    TestMerchant merchant = TestMerchant.on(TestServer.of(server));
    execute(
        """
        create function disk_full() returns trigger language plpgsql as $$ begin
          raise exception 'could not extend file: No space left on device' using errcode = '53100';
        end $$;
        create trigger disk_full before insert or update on node for each statement
          execute function disk_full()
        """);
    try {
      assertThat(Eventually.within(PATIENCE, () -> health("writable").status() == 503)).isTrue();

      assertThat(health("writable").json().at("/components/writes/details/directory").asString())
          .contains("No space left on device");
      Reply ready = health("ready");
      assertThat(ready.status()).isEqualTo(200);
      assertThat(ready.json().at("/components/writes/status").asString()).isEqualTo("DOWN");
      assertThat(metric(WRITABLE)).isEqualTo("0.0");
      assertThat(merchant.api().products("page=1").status()).isEqualTo(200);
    } finally {
      execute("drop trigger disk_full on node; drop function disk_full()");
    }
    assertThat(Eventually.within(PATIENCE, () -> health("writable").status() == 200)).isTrue();
    assertThat(metric(WRITABLE)).isEqualTo("1.0");
  }

  /** A duplicate key says nothing about the disk. */
  @Test
  void otherFailuresOfWritesAreNotMistakenForAFullDisk() {
    assertThatThrownBy(() -> execute("insert into cell (name) values ('main')"))
        .hasMessageContaining("duplicate key");

    assertThat(server.cells().directory().writeFailure()).isNull();
  }

  @Test
  void tellsWhatWaitsInTheDatabases() throws Exception {
    int merchant = TestMerchant.on(TestServer.of(server)).id();
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    MarketplaceMeters signals = new MarketplaceMeters(server.cells(), meters);
    signals.refresh();
    for (String name :
        new String[] {"mail.age", "mails.failed", "move.age", "backup.last.success"}) {
      assertThat(value(meters, name)).as(name).isZero();
    }

    execute(
        """
        insert into mail (mail_id, kind, language, recipient, subject, body, unsubscribe,
          created_at, expires_at, next_attempt_at, state, ended_at) values
        (gen_random_uuid(), 'reset', 'en', 'a@example.org', 's', 'b', '', now() - interval '1 hour',
          now() + interval '1 hour', now() + interval '1 hour', 'waiting', null),
        (gen_random_uuid(), 'reset', 'en', 'a@example.org', 's', null, '', now(), now(), now(),
          'failed', now()),
        (gen_random_uuid(), 'reset', 'en', 'a@example.org', 's', null, '', now(), now(), now(),
          'failed', now() - interval '25 hours');
        -- a move within the only cell, which the server itself never makes
        alter table merchant_move drop constraint if exists merchant_move_check;
        insert into merchant_move (merchant_id, from_cell, to_cell, actor, created_at, announced_at,
          holder, lease_until)
        values (%1$d, 1, 1, 'test', now() - interval '3 hours', now() - interval '2 hours',
          gen_random_uuid(), now() + interval '1 hour');
        insert into webhook (merchant_id, webhook_id, url, kinds, secret, position, state,
          disabled_reason) values
        (%1$d, gen_random_uuid(), 'https://a.example', '{stock}', 's', 0, 'disabled', 'failures'),
        (%1$d, gen_random_uuid(), 'https://a.example', '{stock}', 's', 0, 'disabled', 'request')
        """
            .formatted(merchant));
    try {
      Audit audit = new Audit(server.cells());
      Actor operator = Actor.operator("127.0.0.1");
      audit.note(Audit.SERVER, operator, "server.backup", "f", "cell east, sha256 0");
      signals.refresh();
      assertThat(value(meters, "backup.last.success")).isZero();
      audit.note(Audit.SERVER, operator, "server.backup", "f", "sha256 0");
      signals.refresh();

      assertThat(value(meters, "mail.age")).isBetween(3600.0, 3660.0);
      assertThat(value(meters, "mails.failed")).isEqualTo(1);
      assertThat(value(meters, "move.age")).isBetween(7200.0, 7260.0);
      double age = System.currentTimeMillis() / 1e3 - value(meters, "backup.last.success");
      assertThat(age).isBetween(-1.0, 60.0);
      assertThat(meters.get("stockroom.webhooks").tag("state", "disabled").gauge().value())
          .isEqualTo(1);
    } finally {
      execute(
          """
          delete from mail;
          delete from merchant_move;
          delete from webhook
          """);
    }
  }

  private static double value(SimpleMeterRegistry meters, String name) {
    return meters.get("stockroom." + name).gauge().value();
  }

  private static void execute(String sql) throws SQLException {
    Database directory = server.cells().directory();
    directory.write(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  private static Reply health(String probe) {
    return get("/health/" + probe);
  }

  /** The value of a metric, as text. */
  private static String metric(String name) {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + name))
        .substring(name.length() + 1);
  }

  private static Reply get(String path) {
    return Http.send(
        HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d%s".formatted(server.adminPort(), path))));
  }
}
