package io.stockroom.client;

import java.io.Serializable;

/**
 * One problem of a request, found by the server or by the SDK.
 *
 * @param at its location: {@code [3].param[0].size}, {@code page}, {@code headers.sign}; empty if
 *     it concerns the whole request
 * @param code the error code, such as {@code SIZE_FORMAT}; rely on the code, because messages may
 *     change
 * @param message what is wrong and what to do, in the client's language
 */
public record Problem(String at, String code, String message) implements Serializable {
  private static final long serialVersionUID = 1;

  /** The message with its location in front. */
  @Override
  public String toString() {
    return at.isEmpty() ? message : at + ": " + message;
  }
}
