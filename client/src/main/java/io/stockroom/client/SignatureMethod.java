package io.stockroom.client;

/** How requests are signed. */
public enum SignatureMethod {
  /** MD5 of secret and timestamp: the documented method, which every server supports. */
  MD5,
  /** HMAC-SHA256 over the whole request, so that the signature is valid for this request only. */
  HMAC_SHA256
}
