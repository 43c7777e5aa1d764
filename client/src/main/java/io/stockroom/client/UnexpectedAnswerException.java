package io.stockroom.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response that does not come from Stockroom: a proxy's page, a wrong URL, or a response that is
 * empty, truncated or too large. The message shows the response.
 */
public final class UnexpectedAnswerException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final @Nullable String contentType;
  private final String beginning;
  private final boolean lost;
  private final boolean tooLarge;

  /**
   * @param lost whether the response is truncated or empty, so that its beginning says nothing
   * @param tooLarge whether the SDK stopped to read it because of its size
   */
  UnexpectedAnswerException(
      String words,
      Origin origin,
      @Nullable String contentType,
      String beginning,
      boolean lost,
      boolean tooLarge) {
    super(words, origin, null);
    this.lost = lost;
    this.tooLarge = tooLarge;
    this.contentType = contentType;
    this.beginning = beginning;
  }

  /** {@return the content type of the response; empty if it had none} */
  public Optional<String> contentType() {
    return Optional.ofNullable(contentType);
  }

  /** {@return the first 200 characters of the response; empty if there was none} */
  public String beginning() {
    return beginning;
  }

  boolean isTooLarge() {
    return tooLarge;
  }

  /** {@return whether a retry may succeed: a gateway failed, or the response was lost} */
  @Override
  public boolean isTemporary() {
    int status = status().orElse(0);
    boolean isRefusal = status >= 300 && status < 500;
    return status == 502 || status == 504 || (lost && !isRefusal);
  }
}
