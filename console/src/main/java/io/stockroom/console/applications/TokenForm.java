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
 * What a person fills in to issue a token, as it was typed.
 *
 * @param expires one of {@link #PERIODS}
 * @param merchant the merchant's number; empty where it is the person's own
 */
public record TokenForm(List<String> scopes, String store, String expires, String merchant) {
  private static final int STORE_CHARACTERS = 100;

  /** How long a token may last, by the word of the form; none stands for ever. */
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

  /** The form as it is first shown: everything allowed, for a quarter. */
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

  /** The sentence about the first thing that is wrong; null where nothing is. */
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

  /** The merchant's number as the operator typed it; 0 where it is none. */
  int merchantNumber() {
    return merchant.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(merchant) : 0;
  }
}
