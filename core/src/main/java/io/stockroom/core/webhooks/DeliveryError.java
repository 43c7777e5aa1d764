package io.stockroom.core.webhooks;

import java.util.Locale;

/** Why a delivery failed. */
public enum DeliveryError {
  /** A status other than 2xx. */
  STATUS("the receiver answered"),
  /** One answer for two causes: a merchant must not learn which internal names exist. */
  HOST("the host has no public address"),
  CONNECT("no connection could be made"),
  TLS("the TLS handshake or the certificate failed"),
  TIMEOUT("there was no complete response within 15 seconds"),
  RESPONSE("the response is not valid HTTP"),
  CLOSED("the connection was closed before the response was complete");

  private final String sentence;

  DeliveryError(String sentence) {
    this.sentence = sentence;
  }

  /** Its name in the table and in responses. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String sentence() {
    return sentence;
  }
}
