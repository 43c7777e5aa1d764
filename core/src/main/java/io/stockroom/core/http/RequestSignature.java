package io.stockroom.core.http;

import io.stockroom.core.access.Authenticator.SignedHeaders;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.IdempotencyKey;
import io.stockroom.protocol.request.InvalidRequest;
import java.util.HexFormat;
import org.eclipse.jetty.server.Request;

/** The signature that covers the whole request, for which the body is read. */
final class RequestSignature {
  private RequestSignature() {}

  /**
   * The signature, and what it covers.
   *
   * @param isUpload whether the body is too large to be read before
   */
  static SignedHeaders.Hmac of(
      Request request, AuthenticationHeaders headers, Body body, boolean isUpload)
      throws InvalidRequest {
    return new SignedHeaders.Hmac(
        signedText(request, headers, bodyHash(request, body, isUpload)),
        headers.sign(),
        headers.nonce());
  }

  private static byte[] bodyHash(Request request, Body body, boolean isUpload)
      throws InvalidRequest {
    byte[] announced =
        isUpload ? ContentDigest.read(request.getHeaders().get(ContentDigest.HEADER)) : null;
    if (announced != null) {
      return announced;
    }
    try {
      return ContentDigest.sha256().digest(body.sent());
    } catch (InvalidRequest invalid) {
      Problem problem = invalid.problems().get(0);
      throw isUpload && problem.code() == ErrorCode.BODY_TOO_LARGE
          ? ContentDigest.wrong()
          : invalid;
    }
  }

  private static String signedText(
      Request request, AuthenticationHeaders headers, byte[] bodyHash) {
    String key = request.getHeaders().get(IdempotencyKey.HEADER);
    return Signature.signedTextOf(
        request.getMethod(),
        request.getHttpURI().getPathQuery(),
        headers.timestamp(),
        headers.accesstoken(),
        HexFormat.of().formatHex(bodyHash),
        headers.nonce(),
        key == null ? "" : key.strip());
  }
}
