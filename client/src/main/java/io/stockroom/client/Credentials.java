package io.stockroom.client;

import io.stockroom.protocol.Signature;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What an application needs to act for a merchant, and how it signs with it.
 *
 * @param appid the application's id
 * @param secret the application's secret; it never travels
 * @param accesstoken the token that lets the application act for one merchant
 */
public record Credentials(String appid, String secret, String accesstoken) {
  /**
   * The four authentication headers of a request.
   *
   * @param now when the request is made
   * @return the headers by name, in the order of the documents
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
   * The authentication headers of a request that is signed whole with HMAC-SHA256, so that they fit
   * no other request. Each has a nonce of its own, so that the server takes it once only.
   *
   * @param now when the request is made
   * @param method the HTTP method in upper case
   * @param path the path exactly as it is sent, with {@code ?} and the query where there is one
   * @param body the bytes of the body; none when there is no body
   * @return the headers by name
   */
  public Map<String, String> headers(Instant now, String method, String path, byte[] body) {
    String timestamp = Long.toString(now.getEpochSecond());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("appid", appid);
    String nonce = UUID.randomUUID().toString();
    String text = Signature.signedText(method, path, timestamp, accesstoken, body, nonce);
    headers.put("sign", Signature.hmac(secret, text));
    headers.put("timestamp", timestamp);
    headers.put("accesstoken", accesstoken);
    headers.put("sign-method", "hmac-sha256");
    headers.put("sign-nonce", nonce);
    return headers;
  }

  /** Shows the application only, so that neither secret nor token reaches a log by accident. */
  @Override
  public String toString() {
    return "Credentials[appid=" + appid + "]";
  }
}
