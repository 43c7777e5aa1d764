package io.stockroom.core.access;

import io.stockroom.core.admission.ConcurrencyLimit;
import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.database.SqlFailures;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Signature;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is calling. It checks the application, its signature, the time window, whether the
 * application is disabled, the kind of signature, the address, the token, whether its merchant is
 * suspended, and the scope, in this order. An unknown application, a wrong signature and a wrong
 * token get the same answer after the same work.
 */
public final class Authenticator {
  /** What it decided. */
  public sealed interface Result {
    /** The caller is known and may call. */
    record Authenticated(Caller caller) implements Result {}

    /**
     * The call is rejected.
     *
     * @param retrySeconds when to try again; 0 if trying again does not help
     * @param merchantId the merchant that sees this rejection in its request log; 0 unless
     *     signature and token are right, so that no stranger can fill that log
     * @param applicationId the application that the request names; 0 if there is none
     */
    record Rejected(Problem problem, int retrySeconds, int merchantId, int applicationId)
        implements Result {}
  }

  /**
   * The authentication headers of a request: well formed, not yet verified.
   *
   * @param signed the signature, and what it covers
   * @param address where the request came from
   */
  public record SignedHeaders(
      String appid, String timestamp, String accesstoken, Signed signed, String address) {

    /** A signature. */
    public interface Signed {
      /** Whether it was made with {@code secret}. */
      boolean isMadeWith(String secret);
    }

    /** The signature of the interface: it covers the timestamp alone. */
    public record Md5(String timestamp, String sign) implements Signed {
      @Override
      public boolean isMadeWith(String secret) {
        return Signature.matches(secret, timestamp, sign);
      }
    }

    /**
     * {@code sign-method: hmac-sha256}: it covers the whole request.
     *
     * @param text everything that is signed
     * @param nonce what makes the request unique; empty if it has none
     */
    public record Hmac(String text, String sign, String nonce) implements Signed {
      @Override
      public boolean isMadeWith(String secret) {
        return Signature.hmacMatches(secret, text, sign);
      }

      /** Keeps the token out of logs. */
      @Override
      public String toString() {
        return "Hmac[nonce=" + nonce + "]";
      }
    }

    /** Keeps the token out of logs. */
    @Override
    public String toString() {
      return "SignedHeaders[appid=" + appid + ", timestamp=" + timestamp + "]";
    }
  }

  private final Credentials credentials;
  private final Clock clock;
  private final Clock expiries;
  private final Duration window;
  private final boolean requireNonce;
  private final Throttle throttle;
  private final ConcurrencyLimit lookups;
  private final RememberedCredentials remembered;
  private final CredentialCache cache;
  private final LongSupplier nanoTime;

  /**
   * @param clock for timestamps
   * @param expiries the clock by which tokens expire
   * @param requireNonce whether every HMAC needs a nonce
   * @param outage how long credentials may be used without the directory; see {@link
   *     RememberedCredentials}
   */
  public Authenticator(
      Credentials credentials,
      Clock clock,
      Clock expiries,
      Duration window,
      boolean requireNonce,
      int maxFailuresPerMinute,
      Duration outage,
      ConcurrencyLimit lookups) {
    this(
        credentials,
        clock,
        expiries,
        window,
        requireNonce,
        maxFailuresPerMinute,
        outage,
        lookups,
        System::nanoTime);
  }

  Authenticator(
      Credentials credentials,
      Clock clock,
      Clock expiries,
      Duration window,
      boolean requireNonce,
      int maxFailuresPerMinute,
      Duration outage,
      ConcurrencyLimit lookups,
      LongSupplier nanoTime) {
    this.lookups = lookups;
    this.credentials = credentials;
    this.remembered = new RememberedCredentials(outage, nanoTime);
    this.cache = new CredentialCache(credentials, clock, nanoTime, remembered);
    this.nanoTime = nanoTime;
    this.clock = clock;
    this.expiries = expiries;
    this.window = window;
    this.requireNonce = requireNonce;
    this.throttle = new Throttle(clock, maxFailuresPerMinute);
  }

  /**
   * Accepts from the cache, but rejects only after a fresh lookup, so that a rotated secret never
   * rejects a valid caller. Without a cached credential it checks a dummy one: every rejection
   * takes the same work.
   *
   * @param scope the required scope; null if any token will do
   */
  public Result authenticate(SignedHeaders headers, @Nullable Scope scope, SignatureRule rule)
      throws SQLException {
    Credential.Key key = new Credential.Key(headers.appid(), headers.accesstoken());
    Credential cached = cache.find(key);
    if (judge(cached == null ? Credential.UNKNOWN : cached, headers, scope, rule)
        instanceof Result.Authenticated authenticated) {
      return authenticated;
    }
    try (Permit permit = lookups.acquire()) {
      if (permit == null) {
        int wait = ConcurrencyLimits.retrySeconds();
        return new Result.Rejected(Problem.of("", ErrorCode.OVERLOADED, wait), wait, 0, 0);
      }
      return lookUp(key, headers, scope, rule);
    } catch (SQLException failure) {
      // a directory that does not answer cannot confirm a rejection either: that is 503
      Credential known = isOutage(failure) ? remembered.find(key) : null;
      if (known != null
          && judge(known, headers, scope, rule) instanceof Result.Authenticated authenticated) {
        return authenticated;
      }
      throw failure;
    }
  }

  /** With one database for everything, a call could do nothing with remembered credentials. */
  private boolean isOutage(SQLException failure) {
    return credentials.hasOtherDatabases() && SqlFailures.isUnavailable(failure);
  }

  /** Whether some callers can be served while the directory does not answer. */
  public boolean isOutageBridged() {
    return credentials.hasOtherDatabases() && remembered.hasAny();
  }

  /** Reads the remembered credentials again; call it more often than they expire. */
  public void refreshRemembered() throws SQLException {
    if (credentials.hasOtherDatabases()) {
      cache.refreshRemembered();
    }
  }

  private Result lookUp(
      Credential.Key key, SignedHeaders headers, @Nullable Scope scope, SignatureRule rule)
      throws SQLException {
    long now = nanoTime.getAsLong();
    Credential found = credentials.find(key);
    Result result = judge(found == null ? Credential.UNKNOWN : found, headers, scope, rule);
    switch (result) {
      case Result.Authenticated(Caller caller) -> {
        credentials.used(caller.merchantId(), caller.tokenId(), clock.instant());
        cache.remember(key, found == null ? Credential.UNKNOWN : found, now);
      }
      case Result.Rejected(Problem problem, int _, int _, int applicationId) -> {
        cache.forget(key);
        if (problem.code() == ErrorCode.CREDENTIALS_WRONG) {
          int wait = throttle.failed(headers.appid(), headers.address());
          return wait == 0
              ? result
              : new Result.Rejected(
                  Problem.of("headers", ErrorCode.AUTHENTICATION_THROTTLED, wait),
                  wait,
                  0,
                  applicationId);
        }
      }
    }
    return result;
  }

  private Result judge(
      Credential credential, SignedHeaders headers, @Nullable Scope scope, SignatureRule rule) {
    Instant now = clock.instant();
    if (!credential.isSigned(headers.signed()::isMadeWith, now)) {
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
    Credential.Token token = credential.token();
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
    if (headers.signed() instanceof SignedHeaders.Md5 && credential.signing().refusesMd5(rule)) {
      return rejected(
          credential, "headers.sign-method", ErrorCode.SIGN_METHOD_REQUIRED, credential.appid());
    }
    if (headers.signed() instanceof SignedHeaders.Hmac(String _, String _, String nonce)
        && nonce.isEmpty()
        && (requireNonce || credential.signing().requiresNonce(rule))) {
      return rejected(credential, "headers.sign-nonce", ErrorCode.NONCE_REQUIRED);
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
    if (expiresAt != null && !expiries.instant().isBefore(expiresAt)) {
      return rejected(credential, at, ErrorCode.TOKEN_EXPIRED, expiresAt);
    }
    // from here on the caller is known
    Credential.Suspension suspension = token.suspension();
    if (suspension != null) {
      return new Result.Rejected(
          Problem.of(at, ErrorCode.MERCHANT_SUSPENDED, suspension.since(), suspension.reason()),
          0,
          token.merchantId(),
          credential.applicationId());
    }
    if (scope != null && !token.scopes().contains(scope)) {
      String words = token.scopes().stream().map(Scope::word).collect(Collectors.joining(" "));
      return new Result.Rejected(
          Problem.of(at, ErrorCode.SCOPE_MISSING, scope.word(), words),
          0,
          token.merchantId(),
          credential.applicationId());
    }
    return new Result.Authenticated(
        new Caller(
            token.merchantId(),
            credential.applicationId(),
            credential.appid(),
            token.tokenId(),
            token.boundStore(),
            headers.address(),
            token.limits(),
            token.scopes()));
  }

  private static Result rejected(
      Credential credential, String at, ErrorCode code, Object... arguments) {
    return new Result.Rejected(Problem.of(at, code, arguments), 0, 0, credential.applicationId());
  }
}
