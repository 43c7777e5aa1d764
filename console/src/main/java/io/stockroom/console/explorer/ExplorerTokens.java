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
 * Tokens for the calls of the explorer: issued in the person's name when first needed, good for an
 * hour, and kept in this server's memory only.
 */
public final class ExplorerTokens {
  static final Duration LIFE = Duration.ofHours(1);

  /** A call takes seconds; a token with less than this left is not begun with. */
  private static final Duration SPARE = Duration.ofMinutes(2);

  private static final int MAX_KEPT = 1_000;

  /** With the roles: who gets another one needs another token. */
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
   * A token of the application for the merchant, with the scopes of the person's roles; null where
   * there is no such application, or where it is stopped.
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

  /** Forgets a token that somebody revoked meanwhile. */
  void forget(ConsoleRequest visit, String appid, int merchantId) {
    kept.remove(Key.of(visit.person(), appid, merchantId));
  }
}
