package io.stockroom.conformance;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server to check, and what the suite may use there.
 *
 * @param baseUrl without a trailing slash
 * @param products the only products that the suite writes to
 * @param foreignProduct a product of another merchant, or null
 * @param foreignToken an access token of another application, or null
 * @param pace the minimum time between two creates
 */
public record Target(
    URI baseUrl,
    String appid,
    String secret,
    String token,
    List<Integer> products,
    @Nullable Integer foreignProduct,
    @Nullable String foreignToken,
    Duration pace) {
  public static final Duration USUAL_PACE = Duration.ofSeconds(2);

  public Target {
    products = List.copyOf(products);
    if (pace.isNegative() || pace.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "the create interval must be from PT0S to PT1M, not " + pace);
    }
  }

  /** Masks tokens and the secret, for reports that are stored. */
  String masked(String text) {
    String masked = text.replace(token, "<accesstoken>").replace(secret, "<secret>");
    return foreignToken == null ? masked : masked.replace(foreignToken, "<foreign token>");
  }

  /** Shows no secret. */
  @Override
  public String toString() {
    return "Target[" + baseUrl + ", " + appid + "]";
  }
}
