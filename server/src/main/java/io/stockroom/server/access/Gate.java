package io.stockroom.server.access;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Scope;
import io.stockroom.server.load.Load;
import io.stockroom.server.load.Places;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is calling. Checks the application, its signature, the time window, whether it is
 * stopped, the address, the token and its scope, in this order; an unknown application, a wrong
 * signature and a wrong token are answered alike, after the same work.
 */
public final class Gate {
  private final Credentials credentials;
  private final Clock clock;
  private final Duration window;
  private final Throttle throttle;
  private final Places lookups;
  private final KnownCallers known;

  public Gate(
      Credentials credentials,
      Clock clock,
      Duration window,
      int mostFailuresPerMinute,
      Places lookups) {
    this.lookups = lookups;
    this.credentials = credentials;
    this.known = new KnownCallers(credentials, clock);
    this.clock = clock;
    this.window = window;
    this.throttle = new Throttle(clock, mostFailuresPerMinute);
  }

  /**
   * Lets a caller in from memory alone; every refusal is decided afresh from the database. So a
   * rotated secret never refuses a right caller. Where nobody is remembered, nobody is judged all
   * the same: every refusal takes the same work.
   *
   * @param scope what the token must carry; null where any token will do
   */
  public Admission admit(Claim claim, @Nullable Scope scope) throws SQLException {
    KnownCallers.Key key = new KnownCallers.Key(claim.appid(), claim.accesstoken());
    Grant remembered = known.find(key);
    Admission quick = judge(remembered == null ? Grant.NOBODY : remembered, claim, scope);
    if (quick instanceof Caller) {
      return quick;
    }
    if (!lookups.enter()) {
      int wait = Load.retrySeconds();
      return new Admission.Refused(Problem.of("", ErrorCode.OVERLOADED, wait), wait, 0, 0);
    }
    long since = System.nanoTime();
    try {
      return lookUp(key, claim, scope);
    } finally {
      lookups.leave(since);
    }
  }

  private Admission lookUp(KnownCallers.Key key, Claim claim, @Nullable Scope scope)
      throws SQLException {
    long now = System.nanoTime();
    Grant found = credentials.find(key);
    Admission admission = judge(found == null ? Grant.NOBODY : found, claim, scope);
    switch (admission) {
      case Caller caller -> {
        credentials.used(caller.merchantId(), caller.tokenId(), clock.instant());
        known.remember(key, found == null ? Grant.NOBODY : found, now);
      }
      case Admission.Refused(Problem problem, int _, int _, int applicationId) -> {
        known.forget(key);
        if (problem.code() == ErrorCode.CREDENTIALS_WRONG) {
          int wait = throttle.failed(claim.appid(), claim.address());
          return wait == 0
              ? admission
              : new Admission.Refused(
                  Problem.of("headers", ErrorCode.AUTHENTICATION_THROTTLED, wait),
                  wait,
                  0,
                  applicationId);
        }
      }
    }
    return admission;
  }

  private Admission judge(Grant grant, Claim claim, @Nullable Scope scope) {
    Instant now = clock.instant();
    if (!grant.isSigned(claim, now)) {
      return refused(grant, "headers", ErrorCode.CREDENTIALS_WRONG);
    }
    long offSeconds = Math.abs(Long.parseLong(claim.timestamp()) - now.getEpochSecond());
    if (offSeconds > window.toSeconds()) {
      return refused(
          grant,
          "headers.timestamp",
          ErrorCode.TIMESTAMP_WINDOW,
          claim.timestamp(),
          offSeconds,
          now.getEpochSecond(),
          window.toSeconds());
    }
    Grant.Token token = grant.token();
    if (token == null) {
      return refused(grant, "headers", ErrorCode.CREDENTIALS_WRONG);
    }
    Instant stoppedAt = grant.stoppedAt();
    if (stoppedAt != null) {
      return refused(
          grant, "headers.appid", ErrorCode.APPLICATION_STOPPED, grant.appid(), stoppedAt);
    }
    if (grant.requireHmac() && claim.signed() instanceof Claim.Md5) {
      return refused(grant, "headers.sign-method", ErrorCode.SIGN_METHOD_REQUIRED, grant.appid());
    }
    boolean mayCallFromHere =
        grant.networks().isEmpty()
            || grant.networks().stream().anyMatch(network -> network.contains(claim.address()));
    if (!mayCallFromHere) {
      return refused(
          grant, "address", ErrorCode.ADDRESS_NOT_ALLOWED, claim.address(), grant.appid());
    }
    String at = "headers.accesstoken";
    Instant revokedAt = token.revokedAt();
    if (revokedAt != null) {
      return refused(grant, at, ErrorCode.TOKEN_REVOKED, revokedAt);
    }
    Instant expiresAt = token.expiresAt();
    if (expiresAt != null && !now.isBefore(expiresAt)) {
      return refused(grant, at, ErrorCode.TOKEN_EXPIRED, expiresAt);
    }
    if (scope != null && !token.scopes().contains(scope)) {
      // the first refusal of a caller who is known for sure
      String words = token.scopes().stream().map(Scope::word).collect(Collectors.joining(" "));
      return new Admission.Refused(
          Problem.of(at, ErrorCode.SCOPE_MISSING, scope.word(), words),
          0,
          token.merchantId(),
          grant.applicationId());
    }
    return new Caller(
        token.merchantId(),
        grant.applicationId(),
        grant.appid(),
        token.tokenId(),
        token.boundStore(),
        claim.address(),
        token.limits());
  }

  private static Admission refused(Grant grant, String at, ErrorCode code, Object... arguments) {
    return new Admission.Refused(Problem.of(at, code, arguments), 0, 0, grant.applicationId());
  }
}
