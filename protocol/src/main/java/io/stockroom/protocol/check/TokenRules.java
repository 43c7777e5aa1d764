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

  private static void application(CheckInput facts, CheckProblems problems) {
    String known = facts.known().appid();
    String sent = facts.header("appid");
    if (known != null && !sent.isEmpty() && !sent.equals(known) && !problems.at("headers.appid")) {
      problems.add(Cause.APPLICATION_OTHER, "headers.appid", known, sent);
    }
  }

  private static void clipped(CheckInput facts, CheckProblems problems) {
    String sent = facts.header("accesstoken");
    boolean ours = sent.startsWith("srt_") && sent.length() < TOKEN_CHARACTERS;
    String known = facts.known().accesstoken();
    boolean beginning =
        known != null && !sent.isEmpty() && known.startsWith(sent) && !known.equals(sent);
    if ((ours || beginning) && !sent.equals(known) && !problems.at(WHERE)) {
      String expected = known == null ? TOKEN_CHARACTERS + " ×" : known.length() + " ×";
      problems.add(Cause.TOKEN_CLIPPED, WHERE, expected, sent.length() + " ×");
    }
  }

  private static void other(CheckInput facts, CheckProblems problems) {
    String known = facts.known().accesstoken();
    String sent = facts.header("accesstoken");
    if (known != null && !sent.isEmpty() && !sent.equals(known) && !problems.at(WHERE)) {
      problems.add(Cause.TOKEN_OTHER, WHERE, CheckInput.masked(known), CheckInput.masked(sent));
    }
  }

  private static void life(CheckInput facts, CheckProblems problems) {
    Known.TokenFacts token = facts.known().token();
    String sent = facts.header("accesstoken");
    if (token == null || sent.isEmpty() || problems.at(WHERE)) {
      return;
    }
    if (!token.exists()) {
      problems.add(Cause.TOKEN_UNKNOWN, WHERE, "", CheckInput.masked(sent));
      return;
    }
    if (!token.appid().equals(facts.header("appid"))) {
      problems.add(Cause.TOKEN_OF_ANOTHER_APPLICATION, WHERE, facts.header("appid"), token.appid());
    }
    Instant revokedAt = token.revokedAt();
    Instant expiresAt = token.expiresAt();
    Known.Clock clock = facts.known().clock();
    if (revokedAt != null) {
      problems.add(Cause.TOKEN_REVOKED, WHERE, "", revokedAt.toString());
    } else if (expiresAt != null && clock != null && !clock.now().isBefore(expiresAt)) {
      problems.add(Cause.TOKEN_EXPIRED, WHERE, "", expiresAt.toString());
    }
    Endpoint endpoint = facts.endpoint();
    Scope scope = endpoint == null ? null : endpoint.scope();
    if (scope != null && !token.scopes().contains(scope)) {
      String words =
          token.scopes().stream().map(Scope::word).sorted().collect(Collectors.joining(" "));
      problems.add(Cause.SCOPE_MISSING, WHERE, scope.word(), words);
    }
  }
}
