package io.stockroom.core.http;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Content-Digest} (RFC 9530). A signature covers the hash of the body; with this
 * header it can be verified before a large body arrives.
 */
final class ContentDigest {
  static final String HEADER = "Content-Digest";

  private static final Pattern FORM =
      Pattern.compile("(?:.*,)?\\s*sha-256=:([A-Za-z0-9+/]{43}=):\\s*(?:,.*)?");

  private ContentDigest() {}

  /** The SHA-256 in a header; null if there is no header. */
  static byte @Nullable [] read(@Nullable String header) throws InvalidRequest {
    if (header == null) {
      return null;
    }
    Matcher matcher = FORM.matcher(header);
    if (!matcher.matches()) {
      throw wrong();
    }
    return Base64.getDecoder().decode(matcher.group(1));
  }

  static InvalidRequest wrong() {
    return InvalidRequest.of(
        "headers." + HEADER, ErrorCode.CONTENT_DIGEST, RequestContent.MAX_BYTES);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
