package io.stockroom.conformance;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server to judge, and what the suite may use there.
 *
 * @param baseUrl without a slash at its end
 * @param products the products that may be written to; no other one is
 * @param foreignProduct a product of another merchant, or null
 * @param foreignToken an access token of another application, or null
 * @param pace the time between two creates
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
      throw new IllegalArgumentException("the pace is from PT0S to PT1M, not " + pace);
    }
  }

  /** Takes tokens and secret out of a text that people and build servers keep. */
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
