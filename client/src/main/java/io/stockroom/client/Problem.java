package io.stockroom.client;

import java.io.Serializable;

/**
 * One problem of a request, as the server or the SDK itself found it.
 *
 * @param at where it is: {@code [3].param[0].size}, {@code page}, {@code headers.sign}; empty if it
 *     concerns the request as a whole
 * @param code the error code, such as {@code SIZE_FORMAT}; rely on this one, the words may get
 *     better
 * @param message what is wrong and what to do, in the client's language
 */
public record Problem(String at, String code, String message) implements Serializable {
  private static final long serialVersionUID = 1;

  /** The message with its location before it. */
  @Override
  public String toString() {
    return at.isEmpty() ? message : at + ": " + message;
  }
}
