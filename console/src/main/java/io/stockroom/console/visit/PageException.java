package io.stockroom.console.visit;

import java.util.List;

/** Ends a request with an error page in the visitor's language. */
public final class PageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String key;
  private final transient List<Object> arguments;

  /**
   * @param key selects the messages {@code failure.KEY.title} and {@code failure.KEY.text}
   */
  public PageException(int status, String key, Object... arguments) {
    super(key, null, false, false);
    this.status = status;
    this.key = key;
    this.arguments = List.of(arguments);
  }

  /** Not found. Another merchant's data gets the same response. */
  public static PageException missing() {
    return new PageException(404, "missing");
  }

  public int status() {
    return status;
  }

  public String key() {
    return key;
  }

  public List<Object> arguments() {
    return arguments;
  }
}
