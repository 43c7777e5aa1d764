package io.stockroom.core.sandbox;

import io.stockroom.protocol.request.RequestContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number that makes a call get a certain answer. It is sent as a product id; in the product list,
 * as the page.
 */
public enum SandboxProduct {
  CONNECTION_CUT(900_000_000),
  DETAIL_PER_DAY(900_000_301),
  PUBLISH_SHARE(900_000_302),
  STORE_PRODUCTS(900_000_303),
  PRODUCT_MISSING(900_000_404),
  RATE_LIMIT(900_000_429),
  INTERNAL(900_000_500),
  OVERLOADED(900_000_503),
  UNAVAILABLE(900_000_504),
  /** The first of {@value #MAX_SECONDS}: 900001001 waits one second. */
  SLOW(900_001_001);

  private static final int MAX_SECONDS = 60;
  private static final Pattern NUMBER = Pattern.compile("(?<![0-9])90000[01][0-9]{3}(?![0-9])");

  private final int number;

  SandboxProduct(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /**
   * What a request asks for.
   *
   * @param delay how long a slow answer takes; otherwise zero
   */
  record Wish(SandboxProduct product, Duration delay) {}

  /** The first of these numbers in the request; null if there is none. */
  static @Nullable Wish in(RequestContent content) {
    Matcher found =
        NUMBER.matcher(
            content.query() + "\n" + new String(content.body(), StandardCharsets.ISO_8859_1));
    while (found.find()) {
      Wish wish = of(Integer.parseInt(found.group()));
      if (wish != null) {
        return wish;
      }
    }
    return null;
  }

  private static @Nullable Wish of(int number) {
    int seconds = number - SLOW.number + 1;
    if (seconds >= 1 && seconds <= MAX_SECONDS) {
      return new Wish(SLOW, Duration.ofSeconds(seconds));
    }
    return Arrays.stream(values())
        .filter(product -> product.number == number)
        .findFirst()
        .map(product -> new Wish(product, Duration.ZERO))
        .orElse(null);
  }
}
