package io.stockroom.client;

/** A request that is not a webhook delivery of the server. Answer it with status 400. */
public final class WebhookVerificationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What is wrong. */
  public enum Reason {
    /** One of the headers webhook-id, webhook-timestamp and webhook-signature is missing. */
    HEADER_MISSING,
    /** The timestamp is not a number of seconds. */
    TIMESTAMP_FORMAT,
    /** The delivery is older than the tolerance: it may be a replay, or your clock is wrong. */
    TIMESTAMP_TOO_OLD,
    /** The delivery is from the future: your clock is wrong, or the sender's. */
    TIMESTAMP_TOO_NEW,
    /** No signature of the version v1 fits: a wrong secret, or the body was changed on its way. */
    SIGNATURE_WRONG,
    /** The signature fits, but the body is not a message of Stockroom. */
    BODY_FORMAT
  }

  private final Reason reason;

  WebhookVerificationException(Reason reason, String words) {
    super(words);
    this.reason = reason;
  }

  /** {@return what is wrong} */
  public Reason reason() {
    return reason;
  }
}
