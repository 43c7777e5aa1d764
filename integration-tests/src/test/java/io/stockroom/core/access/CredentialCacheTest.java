package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CredentialCacheTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final TestServer server = TestServer.shared();
  private final Api api = TestMerchant.fresh().api();
  private final Credential.Key key = new Credential.Key(api.appid(), api.accesstoken());
  private Credentials credentials;
  private CredentialCache cache;
  private Credential first;

  @BeforeEach
  void remember() throws Exception {
    SecretKeys keys = SecretKeys.ofFile(server.dataFolder().resolve("secret.key"));
    credentials =
        new Credentials(server.cells(), new SecretBox(keys::read), Settings.with(Map.of()));
    cache =
        new CredentialCache(
            credentials,
            Clock.systemUTC(),
            System::nanoTime,
            new RememberedCredentials(Duration.ZERO, System::nanoTime));
    first = Objects.requireNonNull(credentials.find(key));
    cache.remember(key, first, System.nanoTime());
  }

  @Test
  @SuppressWarnings("ReferenceEquality") // the same answer of the database, or a new one
  void refreshesUsedEntriesInTheBackground() {
    assertThat(cache.find(key)).isSameAs(first);
    assertThat(Eventually.within(SOON, () -> calling() != first)).isTrue();
    assertThat(calling()).isEqualTo(first);
  }

  @Test
  void doesNotRefreshWhatIsNewWithWhatIsDue() {
    AtomicLong nanos = new AtomicLong();
    CredentialCache stepped =
        new CredentialCache(
            credentials,
            Clock.systemUTC(),
            nanos::get,
            new RememberedCredentials(Duration.ZERO, nanos::get));
    stepped.remember(key, first, 0);
    assertThat(stepped.find(key)).isSameAs(first);

    nanos.set(Duration.ofMillis(225).toNanos());
    stepped.refresh();
    assertThat(stepped.find(key)).isSameAs(first);

    nanos.incrementAndGet();
    stepped.refresh();
    assertThat(stepped.find(key)).isNotSameAs(first).isEqualTo(first);
  }

  @Test
  void noticesARevokedToken() {
    Admin.of(server)
        .post("/admin/tokens/revoke", "{\"token\":\"%s\"}".formatted(api.accesstoken()));
    assertThat(
            Eventually.within(
                SOON, () -> Objects.requireNonNull(calling().token()).revokedAt() != null))
        .isTrue();
  }

  @Test
  void doesNotUseStaleEntries() {
    cache.remember(key, first, System.nanoTime() - Duration.ofMillis(901).toNanos());
    assertThat(cache.find(key)).isNull();
    cache.forget(key);
    assertThat(cache.find(key)).isNull();
  }

  @Test
  void batchedLookupsReturnTheSameAsSingleOnes() throws Exception {
    Credential.Key otherToken = new Credential.Key(api.appid(), "srt_nobody-has-this");
    Credential.Key nobody = new Credential.Key("app_nobody", api.accesstoken());

    Map<Credential.Key, Credential> found = credentials.findAll(List.of(nobody, otherToken, key));

    assertThat(found).containsOnlyKeys(key, otherToken).containsEntry(key, first);
    assertThat(Objects.requireNonNull(found.get(otherToken)).token()).isNull();
  }

  @Test
  void oneUnreadableCredentialDoesNotFailOthers() throws Exception {
    Api other = TestMerchant.fresh().api();
    Credential.Key damaged = new Credential.Key(other.appid(), other.accesstoken());
    set(other.appid(), "'\\x00'::bytea || secret");
    try {
      assertThat(credentials.findAll(List.of(damaged, key))).containsOnlyKeys(key);
      assertThatIllegalStateException()
          .isThrownBy(() -> credentials.find(damaged))
          .withMessageContaining(other.appid());
      assertThat(credentials.find(key)).isEqualTo(first);
    } finally {
      set(other.appid(), "substr(secret, 2)");
    }
    assertThat(credentials.find(damaged)).isNotNull();
  }

  private void set(String appid, String secret) throws SQLException {
    server
        .directory()
        .write(
            connection ->
                Sql.of("update application set secret = " + secret + " where appid = :appid")
                    .on(connection)
                    .set("appid", appid)
                    .update());
  }

  /** Retries as the authenticator does if a slow machine let the entry expire. */
  private Credential calling() {
    Credential found = cache.find(key);
    if (found == null) {
      cache.remember(key, first, System.nanoTime());
      return first;
    }
    return found;
  }
}
