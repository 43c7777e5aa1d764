package io.stockroom.protocol;

import java.math.BigDecimal;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules for the fields of a product, wherever they come from. */
public final class ProductText {
  public static final int TITLE_CHARACTERS = 300;
  public static final int DESCRIPTION_CHARACTERS = 1_000_000;
  public static final int CATEGORY_CHARACTERS = 500;
  public static final int ADDRESS_CHARACTERS = 2000;
  public static final int MAX_IMAGES = 100;
  public static final int MAX_ATTRIBUTES = 200;
  public static final int ATTRIBUTE_NAME_CHARACTERS = 100;
  public static final int ATTRIBUTE_VALUE_CHARACTERS = 1000;

  /** The maximum length of a number; longer ones are not parsed. */
  public static final int NUMBER_CHARACTERS = 40;

  /** What messages call a price and an address. */
  public static final String PRICE_RULE =
      "a price from 0 to 9999999999.99 with at most two decimals, such as 59.00";

  public static final String ADDRESS_RULE = "a whole http:// or https:// address";

  private static final BigDecimal MAX_PRICE = new BigDecimal("9999999999.99");
  private static final Pattern CANONICAL = Pattern.compile("(0|[1-9][0-9]*)(\\.[0-9]+)?");

  private ProductText() {}

  /** Null if it is no price; more than two decimals are not rounded. */
  public static @Nullable BigDecimal price(String text) {
    BigDecimal price = decimal(text);
    boolean possible =
        price != null
            && price.signum() >= 0
            && price.stripTrailingZeros().scale() <= 2
            && price.compareTo(MAX_PRICE) <= 0;
    return price != null && possible ? price.setScale(2) : null;
  }

  private static @Nullable BigDecimal decimal(String text) {
    try {
      BigDecimal number = text.length() > NUMBER_CHARACTERS ? null : new BigDecimal(text);
      // an exponent can stand for a number of a billion digits
      return number == null || Math.abs((long) number.scale()) > NUMBER_CHARACTERS ? null : number;
    } catch (NumberFormatException noNumber) {
      return null;
    }
  }

  /** Whether a text is a plain number such as {@code 59.90} or {@code 12}. */
  public static boolean isCanonical(String text) {
    return text.length() <= NUMBER_CHARACTERS && CANONICAL.matcher(text).matches();
  }

  public static boolean isWebAddress(String text) {
    try {
      URI uri = URI.create(text);
      return uri.getHost() != null
          && text.length() <= ADDRESS_CHARACTERS
          && ("http".equalsIgnoreCase(uri.getScheme())
              || "https".equalsIgnoreCase(uri.getScheme()));
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }
}
