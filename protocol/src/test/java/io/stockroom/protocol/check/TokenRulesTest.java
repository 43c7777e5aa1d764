package io.stockroom.protocol.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TokenRulesTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  @Test
  void findsAnotherApplicationAndAnotherToken() {
    assertThat(Sent.right().with("appid", "app_other").causes())
        .containsExactly(Cause.APPLICATION_OTHER);
    assertThat(Sent.right().with("accesstoken", Sent.TOKEN.replace('7', '8')).causes())
        .containsExactly(Cause.TOKEN_OTHER);
  }

  @Test
  void findsAClippedToken() {
    assertThat(Sent.right().with("accesstoken", "srt_7gnQIbF2").causes())
        .containsExactly(Cause.TOKEN_CLIPPED);
    assertThat(
            Sent.right()
                .with("accesstoken", "srt_7gnQIbF2")
                .knowing(all -> all.withAccesstoken(null))
                .causes())
        .containsExactly(Cause.TOKEN_CLIPPED);
    assertThat(Sent.right().knowing(all -> all.withAccesstoken(null)).causes()).isEmpty();
  }

  @Test
  void usesTheServersKnowledgeOfTheToken() {
    assertThat(known(Known.TokenFacts.UNKNOWN)).containsExactly(Cause.TOKEN_UNKNOWN);
    assertThat(known(token("app_other", null, null, Scope.STOCK_READ)))
        .containsExactly(Cause.TOKEN_OF_ANOTHER_APPLICATION);
    assertThat(known(token(Sent.APPID, null, NOW, Scope.STOCK_READ)))
        .containsExactly(Cause.TOKEN_REVOKED);
    assertThat(known(token(Sent.APPID, NOW, null, Scope.STOCK_READ)))
        .containsExactly(Cause.TOKEN_EXPIRED);
    assertThat(known(token(Sent.APPID, NOW.plusSeconds(1), null, Scope.STOCK_READ))).isEmpty();
    assertThat(known(token(Sent.APPID, null, null, Scope.STOCK_WRITE)))
        .containsExactly(Cause.SCOPE_MISSING);
    assertThat(
            known(
                new Known.TokenFacts(true, Sent.APPID, Set.of(Scope.STOCK_READ), null, null, NOW)))
        .containsExactly(Cause.MERCHANT_SUSPENDED);
  }

  private static Known.TokenFacts token(
      String appid, @Nullable Instant expiresAt, @Nullable Instant revokedAt, Scope scope) {
    return new Known.TokenFacts(true, appid, Set.of(scope), expiresAt, revokedAt, null);
  }

  private static List<Cause> known(Known.TokenFacts token) {
    return Sent.right().knowing(all -> all.withAccesstoken(null).withToken(token)).causes();
  }
}
