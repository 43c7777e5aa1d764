package io.stockroom.client;

import java.nio.charset.StandardCharsets;

/** A request before it is signed; the same bytes may be sent several times. */
record OutgoingCall(String path, String contentType, byte[] body) {
  static OutgoingCall form(String path, String fields) {
    return new OutgoingCall(
        path, "application/x-www-form-urlencoded", fields.getBytes(StandardCharsets.US_ASCII));
  }

  static OutgoingCall json(String path, byte[] body) {
    return new OutgoingCall(path, "application/json", body);
  }
}
