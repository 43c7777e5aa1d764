package io.stockroom.core.call;

/** What a call demands of its signature, beyond what its application must do anyway. */
public enum SignatureRule {
  ANY,
  /** An HMAC needs a nonce, because a replay changes what exists. */
  NONCE,
  /**
   * As {@link #NONCE}; and an application can be limited to HMAC here, because webhooks send data
   * elsewhere and imports change many products at once.
   */
  MANAGEMENT,
  /** As {@link #NONCE}; and only an HMAC is accepted, because it covers the body. */
  HMAC
}
