package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.access.Authenticator.Result;
import io.stockroom.core.access.Authenticator.SignedHeaders;
import io.stockroom.core.admission.ConcurrencyLimit;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.database.CellSource;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.SqlFailures;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.StallingProxy;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The directory is behind a proxy that is closed: every connection to it is refused then. */
class DirectoryOutageTest {
  private static final Duration OUTAGE = Duration.ofSeconds(60);

  private final TestMerchant merchant = TestMerchant.fresh();
  private final AtomicLong nanos = new AtomicLong(System.nanoTime());
  private StallingProxy proxy;
  private Cells cells;
  private Authenticator authenticator;

  @BeforeEach
  void open() throws Exception {
    DatabaseAddress owner = TestServer.owner();
    int port = Integer.parseInt(owner.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
    proxy = new StallingProxy(port);
    DatabaseAddress proxied =
        new DatabaseAddress(
            owner.jdbcUrl().replace(":" + port, ":" + proxy.port()),
            owner.user(),
            owner.password());
    Database directory =
        new Database(proxied, 2, Duration.ofMillis(250), new SimpleMeterRegistry());
    cells = Cells.open(directory, new SharedCell());
    authenticator = authenticator(OUTAGE);
  }

  /** The cell is another database, which goes on. */
  private static final class SharedCell implements CellSource {
    @Override
    public Database open(CellTable.Row row) {
      return TestServer.shared().database();
    }

    @Override
    public boolean isMoved(CellTable.Row row) {
      return false;
    }

    @Override
    public DatabaseRoles roles(CellTable.Row row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void forget(int cellId) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      // the shared server closes it
    }
  }

  private Authenticator authenticator(Duration outage) throws IOException {
    SecretBox box =
        new SecretBox(
            SecretKeys.ofFile(TestServer.shared().dataFolder().resolve("secret.key"))::read);
    return new Authenticator(
        new Credentials(cells, box, Settings.with(Map.of())),
        Clock.systemUTC(),
        Clock.systemUTC(),
        Duration.ofMinutes(5),
        false,
        600,
        outage,
        new ConcurrencyLimit(4, Duration.ofSeconds(2)),
        nanos::get);
  }

  @AfterEach
  void close() {
    cells.close();
    proxy.close();
  }

  @Test
  void servesKnownCallersForTheTimeOfTheSetting() throws Exception {
    assertThat(authenticate(merchant.api())).isInstanceOf(Result.Authenticated.class);
    proxy.close();

    nanos.addAndGet(OUTAGE.toNanos());
    assertThat(authenticate(merchant.api())).isInstanceOf(Result.Authenticated.class);
    assertThat(authenticator.isOutageBridged()).isTrue();

    nanos.addAndGet(1);
    assertUnavailable(merchant.api());
    assertThat(authenticator.isOutageBridged()).isFalse();
  }

  @Test
  void refreshesRememberedCredentialsOfRareCallers() throws Exception {
    authenticate(merchant.api());
    nanos.addAndGet(OUTAGE.toNanos() / 2);
    authenticator.refreshRemembered();
    proxy.close();

    nanos.addAndGet(OUTAGE.toNanos());

    assertThat(authenticate(merchant.api())).isInstanceOf(Result.Authenticated.class);
  }

  @Test
  void answersUnknownCallersAndWrongSignaturesAsUnavailable() throws Exception {
    authenticate(merchant.api());
    Api other = merchant.token("\"expires\":\"P1D\"");
    proxy.close();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    assertUnavailable(other);
    assertUnavailable(merchant.api().withToken("srt_wrong"));
    assertUnavailable(merchant.api().withSecret("wrong"));
  }

  @Test
  void neverUsesCredentialsThatItKnowsToBeRevoked() throws Exception {
    Api rejected = merchant.token("\"expires\":\"P1D\"");
    Api refreshed = merchant.token("\"expires\":\"P1D\"");
    authenticate(rejected);
    authenticate(refreshed);
    revoke(rejected);
    revoke(refreshed);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(authenticate(rejected)).isInstanceOf(Result.Rejected.class);
    authenticator.refreshRemembered();
    proxy.close();

    assertUnavailable(rejected);
    assertUnavailable(refreshed);
  }

  private static void revoke(Api api) throws SQLException {
    TestServer.shared()
        .directory()
        .write(
            connection ->
                Sql.of("update access_token set revoked_at = now() where hash = :hash")
                    .on(connection)
                    .set("hash", Credentials.hash(api.accesstoken()))
                    .update());
  }

  @Test
  void remembersNothingIfTheSettingIsZero() throws Exception {
    authenticator = authenticator(Duration.ZERO);
    authenticate(merchant.api());
    proxy.close();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    assertUnavailable(merchant.api());
  }

  private void assertUnavailable(Api api) {
    assertThatThrownBy(() -> authenticate(api))
        .isInstanceOfSatisfying(
            SQLException.class, failure -> assertThat(SqlFailures.isUnavailable(failure)).isTrue());
  }

  private Result authenticate(Api api) throws SQLException {
    String timestamp = "%010d".formatted(Clock.systemUTC().instant().getEpochSecond());
    return authenticator.authenticate(
        new SignedHeaders(
            api.appid(),
            timestamp,
            api.accesstoken(),
            new SignedHeaders.Md5(timestamp, Signature.sign(api.secret(), timestamp)),
            "127.0.0.1"),
        Scope.STOCK_READ,
        SignatureRule.ANY);
  }
}
