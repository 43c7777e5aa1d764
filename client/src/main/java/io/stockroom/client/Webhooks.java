package io.stockroom.client;

import io.stockroom.client.WebhookVerificationException.Reason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Verifies webhook deliveries, which follow the Standard Webhooks specification.
 *
 * <pre>{@code
 * WebhookMessage message = Webhooks.verify(request::getHeader, body, secret);
 * }</pre>
 */
public final class Webhooks {
  /** How far the timestamp of a delivery may differ from your clock. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private Webhooks() {}

  /**
   * Verifies and reads a delivery, with the default tolerance and the system clock.
   *
   * @param header returns the value of a request header by its lowercase name, or null
   * @param body the body exactly as received
   * @param secrets the secret that the webhook's creation returned; both during a rotation
   * @return the message
   * @throws WebhookVerificationException if the delivery is not authentic; its reason says why
   * @throws IllegalArgumentException if there is no secret, or one is malformed
   */
  public static WebhookMessage verify(
      Function<String, @Nullable String> header, byte[] body, String... secrets) {
    return verify(header, body, List.of(secrets), TOLERANCE, Clock.systemUTC());
  }

  /**
   * Verifies and reads a delivery.
   *
   * @param header returns the value of a request header by its lowercase name, or null
   * @param body the body exactly as received
   * @param secrets the accepted secrets
   * @param tolerance how far the delivery's timestamp may differ from the clock
   * @param clock the clock
   * @return the message
   * @throws WebhookVerificationException if the delivery is not authentic; its reason says why
   * @throws IllegalArgumentException if there is no secret, or one is malformed
   */
  public static WebhookMessage verify(
      Function<String, @Nullable String> header,
      byte[] body,
      Collection<String> secrets,
      Duration tolerance,
      Clock clock) {
    List<byte[]> keys = secrets.stream().map(WebhookSignature::key).toList();
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("At least one webhook secret is required.");
    }
    String id = required(header, "webhook-id");
    String timestamp = required(header, "webhook-timestamp");
    String signatures = required(header, "webhook-signature");
    checkTime(timestamp, tolerance, clock.instant());
    boolean authentic = false;
    for (byte[] key : keys) {
      byte[] expected = WebhookSignature.sign(key, id, timestamp, body);
      authentic |= WebhookSignature.contains(signatures, expected);
    }
    if (!authentic) {
      throw new WebhookVerificationException(
          Reason.SIGNATURE_WRONG,
          "No signature of version v1 fits. Check the secret, and pass the body as received.");
    }
    try {
      return WebhookMessage.read(id, Json.object(body));
    } catch (MalformedResponse misfit) {
      throw new WebhookVerificationException(
          Reason.BODY_FORMAT, "The delivery is signed, but not a message: " + misfit.what() + ".");
    }
  }

  private static String required(Function<String, @Nullable String> header, String name) {
    String value = header.apply(name);
    if (value == null || value.isBlank()) {
      throw new WebhookVerificationException(
          Reason.HEADER_MISSING, "The header " + name + " is missing.");
    }
    return value.strip();
  }

  private static void checkTime(String timestamp, Duration tolerance, Instant now) {
    if (!timestamp.matches("\\d{1,11}")) {
      throw new WebhookVerificationException(
          Reason.TIMESTAMP_FORMAT, "The header webhook-timestamp is not a number of seconds.");
    }
    // in whole seconds, as the timestamp is
    long age = now.getEpochSecond() - Long.parseLong(timestamp);
    if (age > tolerance.toSeconds()) {
      throw new WebhookVerificationException(
          Reason.TIMESTAMP_TOO_OLD,
          "The delivery is %d seconds old; at most %d are allowed."
              .formatted(age, tolerance.toSeconds()));
    }
    if (-age > tolerance.toSeconds()) {
      throw new WebhookVerificationException(
          Reason.TIMESTAMP_TOO_NEW,
          "The delivery is %d seconds in the future; at most %d are allowed. Check the clocks."
              .formatted(-age, tolerance.toSeconds()));
    }
  }
}
