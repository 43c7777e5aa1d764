package io.stockroom.client;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The response that a failure comes from.
 *
 * @param status the HTTP status; 0 if there was no response
 * @param requestId the server's id of the request
 * @param code the first error code of the response
 */
record Origin(int status, @Nullable String requestId, @Nullable String code)
    implements Serializable {
  private static final long serialVersionUID = 1;

  static final Origin NO_ANSWER = new Origin(0, null, null);

  /** Adds status, error code and request id to a message. */
  String explain(String words) {
    StringBuilder text = new StringBuilder(words);
    if (status != 0) {
      text.append(" [status ").append(status);
      if (code != null) {
        text.append(", ").append(code);
      }
      if (requestId != null) {
        text.append(", request ").append(requestId);
      }
      text.append(']');
    }
    return text.toString();
  }
}
