package io.stockroom.client;

/** How requests are signed. */
public enum SignatureMethod {
  /** MD5 of secret and time: the documented one, which every server understands. */
  MD5,
  /** HMAC-SHA256 over the whole request, so that a signature fits no other request. */
  HMAC_SHA256
}
