package io.stockroom.core.http;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.InvalidRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of an upload, decompressed as it arrives. At its end it checks that nothing follows the
 * compressed data, and that the body has the announced digest.
 */
final class UploadBody extends InputStream {
  /** The connection ended before the body did. */
  private static final class Cut extends IOException {
    private static final long serialVersionUID = 1;

    Cut(IOException cause) {
      super(cause);
    }
  }

  /** The body does not have the digest that was signed. */
  private static final class OtherDigest extends IOException {
    private static final long serialVersionUID = 1;
  }

  private static final class Sent extends FilterInputStream {
    Sent(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return super.read(bytes, offset, length);
      } catch (IOException cut) {
        throw new Cut(cut);
      }
    }
  }

  private final DigestInputStream sent;
  private final boolean isGzip;
  private final byte @Nullable [] digest;
  private @Nullable InputStream content;
  private boolean isChecked;

  /**
   * A body.
   *
   * @param digest the SHA-256 that the body as sent must have; null if any will do
   */
  UploadBody(InputStream sent, boolean isGzip, byte @Nullable [] digest) {
    this.sent = new DigestInputStream(new Sent(sent), ContentDigest.sha256());
    this.isGzip = isGzip;
    this.digest = digest;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    InputStream from = content;
    if (from == null) {
      // one gzip member and nothing after it: the JDK's stream recurses into each that follows
      from = isGzip ? new GzipCompressorInputStream(sent) : sent;
      content = from;
    }
    int count = from.read(bytes, offset, length);
    if (count < 0 && !isChecked) {
      isChecked = true;
      if (sent.read() >= 0) {
        throw new IOException("something follows the compressed data");
      }
      if (digest != null && !MessageDigest.isEqual(digest, sent.getMessageDigest().digest())) {
        throw new OtherDigest();
      }
    }
    return count;
  }

  /** The problem of a body that could not be read. */
  static InvalidRequest problem(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof Cut) {
        return InvalidRequest.of("", BodyFailure.code(failure));
      }
      if (cause instanceof OtherDigest) {
        return ContentDigest.wrong();
      }
    }
    return InvalidRequest.of("", ErrorCode.GZIP_BROKEN);
  }
}
