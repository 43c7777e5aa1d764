package io.stockroom.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something answered, but not as Stockroom does: a proxy's page, a wrong address, an answer that is
 * empty, cut or too large. The message shows what came back.
 */
public final class UnexpectedAnswerException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final @Nullable String contentType;
  private final String beginning;
  private final boolean lost;

  /**
   * @param lost whether the answer ended before its end or has no content, so that its beginning
   *     tells nothing
   */
  UnexpectedAnswerException(
      String words, Origin origin, @Nullable String contentType, String beginning, boolean lost) {
    super(words, origin, null);
    this.lost = lost;
    this.contentType = contentType;
    this.beginning = beginning;
  }

  /** {@return the content type of what came back; empty where it had none} */
  public Optional<String> contentType() {
    return Optional.ofNullable(contentType);
  }

  /** {@return the first 200 characters of what came back; empty where nothing did} */
  public String beginning() {
    return beginning;
  }

  /** Whether the next attempt may fare better: a gateway failed, or the answer was lost. */
  boolean isTemporary() {
    int status = status().orElse(0);
    boolean isRefusal = status >= 300 && status < 500;
    return status == 502 || status == 504 || (lost && !isRefusal);
  }
}
