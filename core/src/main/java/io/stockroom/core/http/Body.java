package io.stockroom.core.http;

import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, read when it is first needed: before authentication only if the signature
 * covers it. It reserves memory as bytes arrive or are decompressed, not as announced, and releases
 * it when the request is answered.
 */
final class Body implements AutoCloseable {
  private static final int FIRST_BYTES = Memory.FREE_BYTES;

  private final HttpServletRequest request;
  private final Memory memory;
  private byte @Nullable [] bytes;
  private byte @Nullable [] content;
  private long taken;

  Body(HttpServletRequest request, Memory memory) {
    this.request = request;
    this.memory = memory;
  }

  /** The whole content; null if it was not read or not decompressed. */
  byte @Nullable [] known() {
    return content == null && encoding().isEmpty() ? bytes : content;
  }

  /** The decompressed body; the limit applies to it as well. */
  byte[] content() throws InvalidRequest {
    byte[] known = content;
    if (known == null) {
      known = decompressed(read());
      content = known;
    }
    return known;
  }

  private byte[] decompressed(byte[] sent) throws InvalidRequest {
    String encoding = encoding();
    return switch (encoding) {
      case "" -> sent;
      case "gzip", "x-gzip" -> sent.length == 0 ? sent : gunzip(sent);
      default ->
          throw InvalidRequest.of("headers.Content-Encoding", ErrorCode.CONTENT_ENCODING, encoding);
    };
  }

  /** How the body is compressed; empty if it is not. */
  private String encoding() {
    return request.getHeader("Content-Encoding") == null
        ? ""
        : RequestContent.encoding(Collections.list(request.getHeaders("Content-Encoding")));
  }

  /** The decompressed body of an upload, read as it arrives; no limit applies. */
  InputStream stream() throws InvalidRequest, IOException {
    String encoding = encoding();
    boolean isGzip = encoding.equals("gzip") || encoding.equals("x-gzip");
    if (!isGzip && !encoding.isEmpty()) {
      throw InvalidRequest.of("headers.Content-Encoding", ErrorCode.CONTENT_ENCODING, encoding);
    }
    byte[] known = bytes;
    return new UploadBody(
        known == null ? request.getInputStream() : new ByteArrayInputStream(known),
        isGzip,
        ContentDigest.read(request.getHeader(ContentDigest.HEADER)));
  }

  private byte[] gunzip(byte[] sent) throws InvalidRequest {
    ByteArrayInputStream source = new ByteArrayInputStream(sent);
    // one gzip member and nothing after it: the JDK's stream recurses into each that follows
    try (InputStream in = new GzipCompressorInputStream(source)) {
      byte[] read = readAll(in, -1);
      if (source.available() == 0) {
        return read;
      }
    } catch (IOException broken) {
      // reported below
    }
    throw InvalidRequest.of("", ErrorCode.GZIP_BROKEN);
  }

  /** The body as sent; reads at most the limit. */
  byte[] read() throws InvalidRequest {
    byte[] known = bytes;
    if (known != null) {
      return known;
    }
    long announced = request.getContentLengthLong();
    if (announced > RequestContent.MAX_BYTES) {
      throw tooLarge();
    }
    try {
      known = announced == 0 ? new byte[0] : readAll(request.getInputStream(), announced);
      bytes = known;
      return known;
    } catch (IOException cut) {
      throw InvalidRequest.of("", BodyFailure.code(cut));
    }
  }

  private static InvalidRequest tooLarge() {
    return InvalidRequest.of("", ErrorCode.BODY_TOO_LARGE, RequestContent.MAX_BYTES);
  }

  private byte[] readAll(InputStream in, long announced) throws IOException, InvalidRequest {
    byte[] read = new byte[announced > 0 ? (int) Math.min(announced, FIRST_BYTES) : FIRST_BYTES];
    int length = 0;
    while (true) {
      if (length == read.length) {
        if (announced == length) {
          return read;
        }
        read = grown(read, announced);
      }
      int count = in.read(read, length, read.length - length);
      if (count < 0) {
        return length == read.length ? read : Arrays.copyOf(read, length);
      }
      length += count;
    }
  }

  /** Doubles the buffer, up to one byte more than the limit. */
  private byte[] grown(byte[] read, long announced) throws InvalidRequest {
    if (read.length > RequestContent.MAX_BYTES) {
      throw tooLarge();
    }
    long most = announced > 0 ? announced : RequestContent.MAX_BYTES + 1;
    int size = (int) Math.min(most, read.length * 2L);
    if (!memory.take(size - read.length)) {
      throw InvalidRequest.of("", ErrorCode.OVERLOADED, ConcurrencyLimits.retrySeconds());
    }
    taken += size - read.length;
    return Arrays.copyOf(read, size);
  }

  @Override
  public void close() {
    memory.give(taken);
    taken = 0;
  }

  /** The memory that all bodies together may use. */
  static final class Memory {
    /** Free for every body, because a connection uses far more. */
    static final int FREE_BYTES = 8 * 1024;

    private final AtomicLong left;

    Memory(long bytes) {
      left = new AtomicLong(bytes);
    }

    /** Reserves this many bytes; false, and reserves none, if that is too much. */
    boolean take(long bytes) {
      if (left.addAndGet(-bytes) >= 0) {
        return true;
      }
      left.addAndGet(bytes);
      return false;
    }

    void give(long bytes) {
      left.addAndGet(bytes);
    }

    long left() {
      return left.get();
    }
  }
}
