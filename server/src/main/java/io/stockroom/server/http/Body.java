package io.stockroom.server.http;

import io.stockroom.protocol.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, read when it is first needed: before the caller is known only where the
 * signature covers it.
 */
final class Body {
  private final HttpServletRequest request;
  private byte @Nullable [] bytes;

  Body(HttpServletRequest request) {
    this.request = request;
  }

  /** What was read so far: the whole body, or null where nobody needed it. */
  byte @Nullable [] known() {
    return bytes;
  }

  /** The whole body, or null after noting why there is none; never more than the bound is read. */
  byte @Nullable [] read(Problems problems) {
    if (bytes != null) {
      return bytes;
    }
    if (request.getContentLengthLong() > Input.MOST_BYTES) {
      problems.add("", ErrorCode.BODY_TOO_LARGE, Input.MOST_BYTES);
      return null;
    }
    try {
      byte[] read = request.getInputStream().readNBytes(Input.MOST_BYTES + 1);
      if (read.length > Input.MOST_BYTES) {
        problems.add("", ErrorCode.BODY_TOO_LARGE, Input.MOST_BYTES);
        return null;
      }
      bytes = read;
      return read;
    } catch (IOException cut) {
      problems.add("", ErrorCode.BODY_INCOMPLETE);
      return null;
    }
  }
}
