package io.stockroom.client;

import io.stockroom.protocol.Signature;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The credentials of an application for one merchant.
 *
 * @param appid the application's id
 * @param secret the application's secret; it is never sent
 * @param accesstoken the token that lets the application act for one merchant
 */
public record Credentials(String appid, String secret, String accesstoken) {
  /**
   * Groups the credentials that the operator issued.
   *
   * @param appid the application's id, such as {@code app_1cif7txrdifo7}
   * @param secret the application's secret; it is never sent
   * @param accesstoken the token that lets the application act for one merchant
   * @return the credentials
   */
  public static Credentials of(String appid, String secret, String accesstoken) {
    return new Credentials(appid, secret, accesstoken);
  }

  /** {@return the text without the secret and the token, so that it can be logged} */
  String redact(String text) {
    String redacted = secret.isEmpty() ? text : text.replace(secret, "***");
    return accesstoken.isEmpty() ? redacted : redacted.replace(accesstoken, "***");
  }

  /**
   * Returns the four authentication headers of a request.
   *
   * @param now the time of the request
   * @return the headers by name, in the order of the documentation
   */
  public Map<String, String> headers(Instant now) {
    String timestamp = Long.toString(now.getEpochSecond());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("appid", appid);
    headers.put("sign", Signature.sign(secret, timestamp));
    headers.put("timestamp", timestamp);
    headers.put("accesstoken", accesstoken);
    return headers;
  }

  /**
   * Returns the authentication headers of a request signed with HMAC-SHA256, which are valid for
   * this request only. They contain a new nonce, so that the server accepts the request only once.
   *
   * @param now the time of the request
   * @param method the HTTP method in uppercase
   * @param path the path exactly as sent, with {@code ?} and the query if there is one
   * @param body the bytes of the body; empty if there is no body
   * @return the headers by name
   */
  public Map<String, String> headers(Instant now, String method, String path, byte[] body) {
    return headersOf(now, method, path, Signature.bodyHash(body), "");
  }

  /**
   * Like {@link #headers(Instant, String, String, byte[])}, for a request that also sends the
   * header {@code Idempotency-Key}, which the signature covers.
   *
   * @param now the time of the request
   * @param method the HTTP method in uppercase
   * @param path the path exactly as sent, with {@code ?} and the query if there is one
   * @param body the bytes of the body; empty if there is no body
   * @param idempotencyKey the key as sent
   * @return the headers by name, without the key
   */
  public Map<String, String> headers(
      Instant now, String method, String path, byte[] body, String idempotencyKey) {
    return headersOf(now, method, path, Signature.bodyHash(body), idempotencyKey);
  }

  /**
   * Like {@link #headers(Instant, String, String, byte[], String)}, with the hash of the body; the
   * key is empty if none is sent.
   */
  Map<String, String> headersOf(
      Instant now, String method, String path, String bodyHash, String idempotencyKey) {
    String timestamp = Long.toString(now.getEpochSecond());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("appid", appid);
    String nonce = UUID.randomUUID().toString();
    String text =
        Signature.signedTextOf(
            method, path, timestamp, accesstoken, bodyHash, nonce, idempotencyKey);
    headers.put("sign", Signature.hmac(secret, text));
    headers.put("timestamp", timestamp);
    headers.put("accesstoken", accesstoken);
    headers.put("sign-method", "hmac-sha256");
    headers.put("sign-nonce", nonce);
    return headers;
  }

  /** Shows only the application, so that no secret or token ends up in a log. */
  @Override
  public String toString() {
    return "Credentials[appid=" + appid + "]";
  }
}
