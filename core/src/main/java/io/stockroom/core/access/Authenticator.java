package io.stockroom.core.access;

import io.stockroom.core.admission.ConcurrencyLimit;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.admission.Permit;
import io.stockroom.core.call.Caller;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Scope;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is calling: checks the application, its signature, the time window, whether it is
 * stopped, the address, the token and its scope, in this order; an unknown application, a wrong
 * signature and a wrong token are answered alike, after the same work.
 */
public final class Authenticator {
  private final Credentials credentials;
  private final Clock clock;
  private final Duration window;
  private final Throttle throttle;
  private final ConcurrencyLimit lookups;
  private final CredentialCache cache;

  public Authenticator(
      Credentials credentials,
      Clock clock,
      Duration window,
      int maxFailuresPerMinute,
      ConcurrencyLimit lookups) {
    this.lookups = lookups;
    this.credentials = credentials;
    this.cache = new CredentialCache(credentials, clock);
    this.clock = clock;
    this.window = window;
    this.throttle = new Throttle(clock, maxFailuresPerMinute);
  }

  /**
   * Authenticates from the cache alone; every rejection is decided afresh from the database. So a
   * rotated secret never rejects a right caller. Where nothing is cached, a credential that nobody
   * has is judged all the same: every rejection takes the same work.
   *
   * @param scope what the token must carry; null where any token will do
   */
  public AuthenticationResult authenticate(SignedHeaders headers, @Nullable Scope scope)
      throws SQLException {
    CredentialCache.Key key = new CredentialCache.Key(headers.appid(), headers.accesstoken());
    StoredCredential cached = cache.find(key);
    if (judge(cached == null ? StoredCredential.NOBODY : cached, headers, scope)
        instanceof AuthenticationResult.Authenticated authenticated) {
      return authenticated;
    }
    try (Permit permit = lookups.permit()) {
      if (!permit.acquire()) {
        int wait = ConcurrencyLimits.retrySeconds();
        return new AuthenticationResult.Rejected(
            Problem.of("", ErrorCode.OVERLOADED, wait), wait, 0, 0);
      }
      return lookUp(key, headers, scope);
    }
  }

  private AuthenticationResult lookUp(
      CredentialCache.Key key, SignedHeaders headers, @Nullable Scope scope) throws SQLException {
    long now = System.nanoTime();
    StoredCredential found = credentials.find(key);
    AuthenticationResult result =
        judge(found == null ? StoredCredential.NOBODY : found, headers, scope);
    switch (result) {
      case AuthenticationResult.Authenticated(Caller caller) -> {
        credentials.used(caller.merchantId(), caller.tokenId(), clock.instant());
        cache.remember(key, found == null ? StoredCredential.NOBODY : found, now);
      }
      case AuthenticationResult.Rejected(Problem problem, int _, int _, int applicationId) -> {
        cache.forget(key);
        if (problem.code() == ErrorCode.CREDENTIALS_WRONG) {
          int wait = throttle.failed(headers.appid(), headers.address());
          return wait == 0
              ? result
              : new AuthenticationResult.Rejected(
                  Problem.of("headers", ErrorCode.AUTHENTICATION_THROTTLED, wait),
                  wait,
                  0,
                  applicationId);
        }
      }
    }
    return result;
  }

  private AuthenticationResult judge(
      StoredCredential credential, SignedHeaders headers, @Nullable Scope scope) {
    Instant now = clock.instant();
    if (!credential.isSigned(headers, now)) {
      return rejected(credential, "headers", ErrorCode.CREDENTIALS_WRONG);
    }
    long offSeconds = Math.abs(Long.parseLong(headers.timestamp()) - now.getEpochSecond());
    if (offSeconds > window.toSeconds()) {
      return rejected(
          credential,
          "headers.timestamp",
          ErrorCode.TIMESTAMP_WINDOW,
          headers.timestamp(),
          offSeconds,
          now.getEpochSecond(),
          window.toSeconds());
    }
    StoredCredential.Token token = credential.token();
    if (token == null) {
      return rejected(credential, "headers", ErrorCode.CREDENTIALS_WRONG);
    }
    Instant stoppedAt = credential.stoppedAt();
    if (stoppedAt != null) {
      return rejected(
          credential,
          "headers.appid",
          ErrorCode.APPLICATION_STOPPED,
          credential.appid(),
          stoppedAt);
    }
    if (credential.requireHmac() && headers.signed() instanceof SignedHeaders.Md5) {
      return rejected(
          credential, "headers.sign-method", ErrorCode.SIGN_METHOD_REQUIRED, credential.appid());
    }
    boolean mayCallFromHere =
        credential.networks().isEmpty()
            || credential.networks().stream()
                .anyMatch(network -> network.contains(headers.address()));
    if (!mayCallFromHere) {
      return rejected(
          credential,
          "address",
          ErrorCode.ADDRESS_NOT_ALLOWED,
          headers.address(),
          credential.appid());
    }
    String at = "headers.accesstoken";
    Instant revokedAt = token.revokedAt();
    if (revokedAt != null) {
      return rejected(credential, at, ErrorCode.TOKEN_REVOKED, revokedAt);
    }
    Instant expiresAt = token.expiresAt();
    if (expiresAt != null && !now.isBefore(expiresAt)) {
      return rejected(credential, at, ErrorCode.TOKEN_EXPIRED, expiresAt);
    }
    if (scope != null && !token.scopes().contains(scope)) {
      // the first refusal of a caller who is known for sure
      String words = token.scopes().stream().map(Scope::word).collect(Collectors.joining(" "));
      return new AuthenticationResult.Rejected(
          Problem.of(at, ErrorCode.SCOPE_MISSING, scope.word(), words),
          0,
          token.merchantId(),
          credential.applicationId());
    }
    return new AuthenticationResult.Authenticated(
        new Caller(
            token.merchantId(),
            credential.applicationId(),
            credential.appid(),
            token.tokenId(),
            token.boundStore(),
            headers.address(),
            token.limits()));
  }

  private static AuthenticationResult rejected(
      StoredCredential credential, String at, ErrorCode code, Object... arguments) {
    return new AuthenticationResult.Rejected(
        Problem.of(at, code, arguments), 0, 0, credential.applicationId());
  }
}
