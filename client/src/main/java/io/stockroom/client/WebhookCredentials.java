package io.stockroom.client;

/**
 * The id and the secret of a webhook. The server shows the secret only once: store it.
 *
 * @param id the webhook's id
 * @param secret the secret for {@link Webhooks#verify}
 */
public record WebhookCredentials(String id, String secret) {
  /** Leaves out the secret. */
  @Override
  public String toString() {
    return "WebhookCredentials[id=" + id + "]";
  }

  static WebhookCredentials read(Fields fields) {
    return new WebhookCredentials(fields.text("id"), fields.text("secret"));
  }
}
