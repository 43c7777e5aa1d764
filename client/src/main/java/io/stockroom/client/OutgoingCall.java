package io.stockroom.client;

import io.stockroom.protocol.request.RequestContent;
import java.nio.charset.StandardCharsets;

/**
 * A request before signing; the same bytes can be sent several times.
 *
 * @param isRead whether it changes nothing and costs nothing, so that it can always be retried
 */
record OutgoingCall(String path, String contentType, byte[] body, boolean isRead) {
  static OutgoingCall read(String path, String fields) {
    return new OutgoingCall(
        path, RequestContent.FORM, fields.getBytes(StandardCharsets.US_ASCII), true);
  }

  static OutgoingCall form(String path, String fields) {
    return new OutgoingCall(
        path, RequestContent.FORM, fields.getBytes(StandardCharsets.US_ASCII), false);
  }

  static OutgoingCall json(String path, byte[] body) {
    return new OutgoingCall(path, RequestContent.JSON, body, false);
  }
}
