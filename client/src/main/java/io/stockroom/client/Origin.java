package io.stockroom.client;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The answer a failure comes from.
 *
 * @param status its HTTP status; 0 where no answer came
 * @param requestId the id under which the server knows the request
 * @param code the first error code of the answer
 */
record Origin(int status, @Nullable String requestId, @Nullable String code)
    implements Serializable {
  private static final long serialVersionUID = 1;

  static final Origin NO_ANSWER = new Origin(0, null, null);

  /** The words of a failure, and where to look it up. */
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
