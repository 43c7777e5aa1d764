package io.stockroom.console.explorer;

import io.stockroom.console.people.Person;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.access.Tokens;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Access tokens for explorer calls: issued in the person's name on first use, valid for an hour,
 * kept only in this server's memory.
 */
public final class ExplorerTokens {
  static final Duration LIFE = Duration.ofHours(1);

  /** A cached token with less time left than this is not reused; a call takes seconds. */
  private static final Duration SPARE = Duration.ofMinutes(2);

  private static final int MAX_KEPT = 1_000;

  /** Includes the roles, because a person whose roles change needs a new token. */
  private record Key(int personId, Set<Role> roles, String appid, int merchantId) {
    private static Key of(Person person, String appid, int merchantId) {
      return new Key(person.personId(), person.roles(), appid, merchantId);
    }
  }

  private record LoggedCall(String token, Instant expiresAt) {}

  private final Tokens tokens;
  private final Clock clock;
  private final Map<Key, LoggedCall> kept = new ConcurrentHashMap<>();

  public ExplorerTokens(Tokens tokens, Clock clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * A token of the application for the merchant, with the scopes of the person's roles; null if the
   * application does not exist or is disabled.
   */
  @Nullable String of(ConsoleRequest visit, String appid, int merchantId) throws SQLException {
    Key key = Key.of(visit.person(), appid, merchantId);
    Instant now = clock.instant();
    LoggedCall known = kept.get(key);
    if (known != null && now.plus(SPARE).isBefore(known.expiresAt)) {
      return known.token;
    }
    Instant expiresAt = now.plus(LIFE);
    String token =
        tokens.issue(
            appid, merchantId, "", RoleScopes.of(visit.person()), expiresAt, visit.actor());
    if (token != null) {
      if (kept.size() >= MAX_KEPT) {
        kept.clear();
      }
      kept.put(key, new LoggedCall(token, expiresAt));
    }
    return token;
  }

  /** Drops a cached token after it was revoked. */
  void forget(ConsoleRequest visit, String appid, int merchantId) {
    kept.remove(Key.of(visit.person(), appid, merchantId));
  }
}
