package io.stockroom.client;

import io.stockroom.protocol.request.RequestContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request before signing; the same bytes can be sent several times.
 *
 * @param isRead whether it changes nothing and costs nothing, so that it can always be retried
 * @param idempotencyKey the key by which the server recognizes a repeated request, or null
 * @param file the file to send instead of {@code body}, or null
 * @param serverWait how long the server may hold the response back (long polling)
 */
record OutgoingCall(
    String path,
    String contentType,
    byte[] body,
    boolean isRead,
    @Nullable String idempotencyKey,
    @Nullable FileBody file,
    Duration serverWait) {
  static OutgoingCall read(String path, String fields) {
    return new OutgoingCall(
        path, RequestContent.FORM, ascii(fields), true, null, null, Duration.ZERO);
  }

  static OutgoingCall form(String path, String fields) {
    return new OutgoingCall(
        path, RequestContent.FORM, ascii(fields), false, null, null, Duration.ZERO);
  }

  static OutgoingCall json(String path, byte[] body) {
    return new OutgoingCall(path, RequestContent.JSON, body, false, null, null, Duration.ZERO);
  }

  /** Sends a file; it may take as long as {@code wait} beyond the timeout of other calls. */
  static OutgoingCall file(String path, FileBody file, String idempotencyKey, Duration wait) {
    return new OutgoingCall(path, FileBody.TYPE, new byte[0], false, idempotencyKey, file, wait);
  }

  OutgoingCall with(CallOptions options) {
    return new OutgoingCall(
        path, contentType, body, isRead, options.idempotencyKey(), file, serverWait);
  }

  OutgoingCall waiting(Duration wait) {
    return new OutgoingCall(path, contentType, body, isRead, idempotencyKey, file, wait);
  }

  /** Whether the server does the work once, however often it gets this request. */
  boolean isRepeatable() {
    return isRead || idempotencyKey != null;
  }

  private static byte[] ascii(String fields) {
    return fields.getBytes(StandardCharsets.US_ASCII);
  }
}
