package io.stockroom.console.applications;

import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Text;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The form for issuing a token, as submitted.
 *
 * @param expires one of {@link #PERIODS}
 * @param merchant the merchant id; empty to use the person's own merchant
 */
public record TokenForm(List<String> scopes, String store, String expires, String merchant) {
  private static final int STORE_CHARACTERS = 100;

  /** Token lifetimes by form value; an empty period means no expiry. */
  private static final Map<String, Optional<Period>> PERIODS = new LinkedHashMap<>();

  static {
    PERIODS.put("1d", Optional.of(Period.ofDays(1)));
    PERIODS.put("30d", Optional.of(Period.ofDays(30)));
    PERIODS.put("90d", Optional.of(Period.ofDays(90)));
    PERIODS.put("1y", Optional.of(Period.ofYears(1)));
    PERIODS.put("never", Optional.empty());
  }

  public TokenForm {
    scopes = List.copyOf(scopes);
  }

  /** The initial form: all scopes, valid for three months. */
  static TokenForm fresh() {
    List<String> all = new ArrayList<>();
    for (Scope scope : Scope.values()) {
      all.add(scope.word());
    }
    return new TokenForm(all, "", "90d", "");
  }

  static List<String> periods() {
    return List.copyOf(PERIODS.keySet());
  }

  /** The message key of the first problem; null if the form is valid. */
  @Nullable String problem() {
    if (scopes.isEmpty() || scopes.stream().anyMatch(word -> Scope.of(word).isEmpty())) {
      return "token.scopes.wrong";
    }
    if (!PERIODS.containsKey(expires)) {
      return "token.expires.wrong";
    }
    try {
      var _ = keptStore();
    } catch (InvalidValue _) {
      return "token.store.wrong";
    }
    return null;
  }

  List<Scope> grantedScopes() {
    return scopes.stream().flatMap(word -> Scope.of(word).stream()).toList();
  }

  String keptStore() {
    return Text.line(store, STORE_CHARACTERS);
  }

  @Nullable Instant expiresAt(Instant now) {
    return PERIODS
        .getOrDefault(expires, Optional.empty())
        .map(period -> now.atOffset(ZoneOffset.UTC).plus(period).toInstant())
        .orElse(null);
  }

  /** The merchant id that the operator typed; 0 if it is not a number. */
  int merchantNumber() {
    return merchant.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(merchant) : 0;
  }
}
