package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.FailedAttempts;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.StallingProxy;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audit entries of a merchant whose cell is down, and of a server that is killed. */
class AuditDeliveryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private ScratchDatabase directory;
  private DatabaseAddress east;
  private StallingProxy proxy;
  private int merchantId;

  @BeforeEach
  void open() throws Exception {
    directory = ScratchDatabase.withTables();
    east = OwnDatabase.create();
    proxy = new StallingProxy(port(east));
  }

  @AfterEach
  void close() {
    proxy.close();
    directory.close();
  }

  @Test
  void deliversWhatWasQueuedWhileTheCellWasDownAfterTheServerWasKilled() throws Exception {
    try (ServerOwner owner = ServerOwner.start(folder, directory.address(), "128m")) {
      Admin admin = Admin.of(owner.server());
      addCell(admin);
      TestMerchant merchant = TestMerchant.in("east", owner.server());
      merchantId = merchant.id();
      proxy.refuse(true);
      String token = merchant.api().accesstoken();
      Reply revoked = admin.post("/admin/tokens/revoke", "{\"token\":\"%s\"}".formatted(token));
      assertThat(revoked.status()).as(revoked.whole()).isEqualTo(200);
      assertThat(queued()).isEqualTo("[token.revoke]");
      assertThat(Eventually.within(PATIENCE, () -> queueAge(owner.server()) > 0)).isTrue();
      owner.kill();
    }
    assertThat(actions()).doesNotContain("token.revoke");
    proxy.refuse(false);

    try (Stockroom again = directory.serve(folder)) {
      assertThat(Eventually.within(PATIENCE, () -> actions().contains("token.revoke"))).isTrue();
      assertThat(Eventually.within(PATIENCE, () -> queued().equals("[]"))).isTrue();
      Admin admin = Admin.of(TestServer.of(again));
      assertThat(admin.post("/admin/audit/verify", "").json().get("intact").asBoolean()).isTrue();
      assertThat(Eventually.within(PATIENCE, () -> queueAge(TestServer.of(again)) == 0)).isTrue();
    }
    assertThat(actions()).containsOnlyOnce("token.revoke");
  }

  @Test
  void keepsFailedSignInsThatWereCountedWhileTheCellWasDown() throws Exception {
    try (Stockroom stockroom = directory.serve(folder)) {
      addCell(Admin.of(TestServer.of(stockroom)));
      merchantId = TestMerchant.in("east", TestServer.of(stockroom)).id();
    }
    Database main = directory.database();
    try (Database far = new Database(throughProxy(), 2, new SimpleMeterRegistry())) {
      Cells cells =
          Cells.of(main, List.of(new Cells.Cell(1, "main", main), new Cells.Cell(2, "east", far)));
      Audit audit = new Audit(cells);
      FailedAttempts failures = new FailedAttempts(audit, Clock.systemUTC());
      proxy.refuse(true);
      failures.note(merchantId, "10.0.0.1", FailedAttempts.SIGN_IN, "a@b.example", "wrong");
      failures.note(merchantId, "10.0.0.1", FailedAttempts.SIGN_IN, "a@b.example", "wrong");
      failures.flush();
      failures.close();
      assertThat(queued()).isEqualTo("[person.sign-in-failed]");
      proxy.refuse(false);

      audit.deliver();
      audit.deliver();

      assertThat(
              rows(
                  "select details from audit where action = 'person.sign-in-failed' and merchant_id"
                      + " = "
                      + merchantId))
          .containsExactly("wrong, 2 times");
      assertThat(queued()).isEqualTo("[]");
      audit.deliver();
      assertThat(audit.queueAge(Instant.now())).isZero();
    }
  }

  private void addCell(Admin admin) {
    DatabaseAddress address = throughProxy();
    Reply added =
        admin.post(
            "/admin/cells",
            """
            {"name":"east","databaseUrl":"%s","databaseUser":"%s","databasePassword":"%s"}\
            """
                .formatted(address.jdbcUrl(), address.user(), address.password()));
    assertThat(added.status()).as(added.whole()).isEqualTo(201);
  }

  private DatabaseAddress throughProxy() {
    String url = east.jdbcUrl().replace(":" + port(east) + "/", ":" + proxy.port() + "/");
    return new DatabaseAddress(url, east.user(), east.password());
  }

  private static int port(DatabaseAddress address) {
    return Integer.parseInt(address.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
  }

  private static double queueAge(TestServer server) {
    URI metrics = URI.create("http://127.0.0.1:%d/metrics".formatted(server.adminPort()));
    return Http.send(HttpRequest.newBuilder(metrics).GET())
        .body()
        .lines()
        .filter(line -> line.startsWith("stockroom_audit_queue_age_seconds "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private String queued() {
    return directory.texts("select action from audit_outbox order by number").toString();
  }

  private List<String> actions() {
    return rows("select action from audit where merchant_id = " + merchantId);
  }

  /** Asks the cell itself, also while the server cannot reach it. */
  private List<String> rows(String sql) {
    List<String> found = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(east.jdbcUrl(), east.user(), east.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }
}
