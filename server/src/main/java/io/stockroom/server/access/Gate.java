package io.stockroom.server.access;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Signature;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is calling. Checks the application, its signature, the time window, the token and its
 * scope, in this order; an unknown application, a wrong signature and a wrong token are answered
 * alike, after the same work.
 */
public final class Gate {
  /** Half of the second within which a revocation must hold on every node. */
  private static final Duration REMEMBERED = Duration.ofMillis(500);

  private static final int MOST_REMEMBERED = 20_000;

  /** Stands in for an unknown application, so that it costs the same as a known one. */
  private static final Grant NOBODY = new Grant("no application has this secret", null);

  private record Known(Grant grant, long sinceNanos) {}

  private final Credentials credentials;
  private final Clock clock;
  private final Duration window;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  public Gate(Credentials credentials, Clock clock, Duration window) {
    this.credentials = credentials;
    this.clock = clock;
    this.window = window;
  }

  /**
   * Lets a caller in from memory alone; every refusal is decided afresh from the database. So a
   * rotated secret never refuses a right caller, and the time a refusal takes tells nothing.
   */
  public Admission admit(Claim claim, Scope scope) throws SQLException {
    String key = claim.appid() + ' ' + claim.accesstoken();
    Known remembered = known.get(key);
    if (remembered != null && System.nanoTime() - remembered.sinceNanos < REMEMBERED.toNanos()) {
      Admission admission = judge(remembered.grant, claim, scope);
      if (admission instanceof Caller) {
        return admission;
      }
    }
    long now = System.nanoTime();
    Grant found = credentials.find(claim.appid(), claim.accesstoken());
    Admission admission = judge(found == null ? NOBODY : found, claim, scope);
    if (found != null && admission instanceof Caller) {
      remember(key, new Known(found, now));
    } else {
      known.remove(key);
    }
    return admission;
  }

  private void remember(String key, Known grant) {
    if (known.size() >= MOST_REMEMBERED) {
      known.clear();
    }
    known.put(key, grant);
  }

  private Admission judge(Grant grant, Claim claim, Scope scope) {
    if (!Signature.matches(grant.secret(), claim.timestamp(), claim.sign())) {
      return refused("headers", ErrorCode.CREDENTIALS_WRONG);
    }
    Instant now = clock.instant();
    long offSeconds = Math.abs(Long.parseLong(claim.timestamp()) - now.getEpochSecond());
    if (offSeconds > window.toSeconds()) {
      return refused(
          "headers.timestamp",
          ErrorCode.TIMESTAMP_WINDOW,
          claim.timestamp(),
          offSeconds,
          now.getEpochSecond(),
          window.toSeconds());
    }
    Grant.Token token = grant.token();
    if (token == null) {
      return refused("headers", ErrorCode.CREDENTIALS_WRONG);
    }
    return judge(token, now, scope);
  }

  private static Admission judge(Grant.Token token, Instant now, Scope scope) {
    if (token.revokedAt() != null) {
      return refused("headers.accesstoken", ErrorCode.TOKEN_REVOKED, token.revokedAt());
    }
    if (isPast(token.expiresAt(), now)) {
      return refused(
          "headers.accesstoken", ErrorCode.TOKEN_EXPIRED, String.valueOf(token.expiresAt()));
    }
    if (!token.scopes().contains(scope)) {
      String words = token.scopes().stream().map(Scope::word).collect(Collectors.joining(" "));
      return refused("headers.accesstoken", ErrorCode.SCOPE_MISSING, scope.word(), words);
    }
    return token.caller();
  }

  private static boolean isPast(@Nullable Instant expiresAt, Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }

  private static Admission refused(String at, ErrorCode code, Object... arguments) {
    return new Admission.Refused(Problem.of(at, code, arguments));
  }
}
