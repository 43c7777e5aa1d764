package io.stockroom.core.http;

import io.stockroom.core.access.SignedHeaders;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.InvalidRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;

/** Reads who a request claims to come from. */
final class SignedHeadersReader {
  private SignedHeadersReader() {}

  /** Reads the headers, and the body if the signature covers it. */
  static SignedHeaders read(HttpServletRequest request, Body body, String address)
      throws InvalidRequest {
    AuthenticationHeaders headers =
        AuthenticationHeaders.read(name -> Collections.list(request.getHeaders(name)));
    return new SignedHeaders(
        headers.appid(),
        headers.timestamp(),
        headers.accesstoken(),
        headers.hmac()
            ? new SignedHeaders.Hmac(
                signedText(request, headers, body), headers.sign(), headers.nonce())
            : new SignedHeaders.Md5(headers.timestamp(), headers.sign()),
        address);
  }

  private static String signedText(
      HttpServletRequest request, AuthenticationHeaders headers, Body body) throws InvalidRequest {
    String query = request.getQueryString();
    return Signature.signedText(
        request.getMethod(),
        request.getRequestURI() + (query == null ? "" : "?" + query),
        headers.timestamp(),
        headers.accesstoken(),
        body.read(),
        headers.nonce());
  }
}
