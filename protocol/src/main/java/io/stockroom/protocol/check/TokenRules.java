package io.stockroom.protocol.check;

import io.stockroom.protocol.Scope;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Checks the application and the access token. */
final class TokenRules {
  static final List<Rule> ALL =
      List.of(TokenRules::application, TokenRules::clipped, TokenRules::other, TokenRules::life);

  private static final String WHERE = "headers.accesstoken";

  /** {@code srt_} and 32 bytes in base64url. */
  private static final int TOKEN_CHARACTERS = 47;

  private TokenRules() {}

  private static void application(Check check) {
    String known = check.known().appid();
    String sent = check.header("appid");
    if (known != null
        && !sent.isEmpty()
        && !sent.equals(known)
        && !check.hasProblemAt("headers.appid")) {
      check.report(Cause.APPLICATION_OTHER, "headers.appid", known, sent);
    }
  }

  private static void clipped(Check check) {
    String sent = check.header("accesstoken");
    boolean ours = sent.startsWith("srt_") && sent.length() < TOKEN_CHARACTERS;
    String known = check.known().accesstoken();
    boolean beginning =
        known != null && !sent.isEmpty() && known.startsWith(sent) && !known.equals(sent);
    if ((ours || beginning) && !sent.equals(known) && !check.hasProblemAt(WHERE)) {
      String expected = known == null ? TOKEN_CHARACTERS + " ×" : known.length() + " ×";
      check.report(Cause.TOKEN_CLIPPED, WHERE, expected, sent.length() + " ×");
    }
  }

  private static void other(Check check) {
    String known = check.known().accesstoken();
    String sent = check.header("accesstoken");
    if (known != null && !sent.isEmpty() && !sent.equals(known) && !check.hasProblemAt(WHERE)) {
      check.report(Cause.TOKEN_OTHER, WHERE, Check.masked(known), Check.masked(sent));
    }
  }

  private static void life(Check check) {
    Known.TokenFacts token = check.known().token();
    String sent = check.header("accesstoken");
    if (token == null || sent.isEmpty() || check.hasProblemAt(WHERE)) {
      return;
    }
    if (!token.exists()) {
      check.report(Cause.TOKEN_UNKNOWN, WHERE, "", Check.masked(sent));
      return;
    }
    if (!token.appid().equals(check.header("appid"))) {
      check.report(Cause.TOKEN_OF_ANOTHER_APPLICATION, WHERE, check.header("appid"), token.appid());
    }
    Instant revokedAt = token.revokedAt();
    Instant expiresAt = token.expiresAt();
    Known.Clock clock = check.known().clock();
    if (revokedAt != null) {
      check.report(Cause.TOKEN_REVOKED, WHERE, "", revokedAt.toString());
    } else if (expiresAt != null && clock != null && !clock.now().isBefore(expiresAt)) {
      check.report(Cause.TOKEN_EXPIRED, WHERE, "", expiresAt.toString());
    }
    Instant suspendedAt = token.suspendedAt();
    if (suspendedAt != null) {
      check.report(Cause.MERCHANT_SUSPENDED, WHERE, "", suspendedAt.toString());
    }
    Endpoint endpoint = check.endpoint();
    Scope scope = endpoint == null ? null : endpoint.scope();
    if (scope != null && !token.scopes().contains(scope)) {
      String words =
          token.scopes().stream().map(Scope::word).sorted().collect(Collectors.joining(" "));
      check.report(Cause.SCOPE_MISSING, WHERE, scope.word(), words);
    }
  }
}
