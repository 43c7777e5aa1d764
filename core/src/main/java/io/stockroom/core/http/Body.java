package io.stockroom.core.http;

import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request. It is collected without a thread. It reserves memory as bytes arrive or
 * are decompressed, not as announced, and releases it when the request is answered.
 */
final class Body implements AutoCloseable {
  private static final int FIRST_BYTES = Memory.FREE_BYTES;

  private final Request request;
  private final Memory memory;
  private byte @Nullable [] bytes;
  private byte @Nullable [] content;
  private @Nullable InvalidRequest failure;
  private boolean isUsed;
  private long taken;

  Body(Request request, Memory memory) {
    this.request = request;
    this.memory = memory;
  }

  /** Collects the body, and then runs {@code then}, also if the body cannot be read. */
  void collect(Runnable then) {
    if (request.getLength() > RequestContent.MAX_BYTES) {
      failure = tooLarge();
      then.run();
    } else {
      new Collecting(then).run();
    }
  }

  /** Appends what arrives, on the thread that parsed it. */
  private final class Collecting implements Invocable.Task {
    private final Runnable then;
    private byte[] read = new byte[Math.clamp(request.getLength(), 0, FIRST_BYTES)];
    private int length;

    Collecting(Runnable then) {
      this.then = then;
    }

    @Override
    public void run() {
      Content.Chunk chunk = request.read();
      while (chunk != null && !isEnded(chunk)) {
        chunk = request.read();
      }
      if (chunk == null) {
        request.demand(this);
      } else {
        then.run();
      }
    }

    private boolean isEnded(Content.Chunk chunk) {
      if (Content.Chunk.isFailure(chunk)) {
        failure = InvalidRequest.of("", BodyFailure.code(chunk.getFailure()));
        return true;
      }
      ByteBuffer arrived = chunk.getByteBuffer();
      int count = arrived.remaining();
      try {
        if (length + count > RequestContent.MAX_BYTES) {
          throw tooLarge();
        }
        read = enlarged(read, length, count);
        arrived.get(read, length, count);
        length += count;
      } catch (InvalidRequest tooMuch) {
        failure = tooMuch;
        return true;
      } finally {
        chunk.release();
      }
      if (chunk.isLast()) {
        bytes = length == read.length ? read : Arrays.copyOf(read, length);
      }
      return chunk.isLast();
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }
  }

  /** The whole content; null if it was never read or never decompressed. */
  byte @Nullable [] known() {
    return content == null && isUsed && encoding().isEmpty() ? bytes : content;
  }

  /** The decompressed body; the limit applies to it as well. */
  byte[] content() throws InvalidRequest {
    byte[] known = content;
    if (known == null) {
      known = decompressed(sent());
      content = known;
    }
    return known;
  }

  /** The body as sent; waits for that of an upload. */
  byte[] sent() throws InvalidRequest {
    isUsed = true;
    if (bytes == null && failure == null) {
      CompletableFuture<Void> collected = new CompletableFuture<>();
      collect(() -> collected.complete(null));
      collected.join();
    }
    byte[] known = bytes;
    if (known != null) {
      return known;
    }
    throw failure == null ? InvalidRequest.of("", ErrorCode.BODY_INCOMPLETE) : failure;
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
    return request.getHeaders().contains(HttpHeader.CONTENT_ENCODING)
        ? RequestContent.encoding(request.getHeaders().getValuesList(HttpHeader.CONTENT_ENCODING))
        : "";
  }

  /** The decompressed body of an upload, read as it arrives; no limit applies. */
  InputStream stream() throws InvalidRequest {
    String encoding = encoding();
    boolean isGzip = encoding.equals("gzip") || encoding.equals("x-gzip");
    if (!isGzip && !encoding.isEmpty()) {
      throw InvalidRequest.of("headers.Content-Encoding", ErrorCode.CONTENT_ENCODING, encoding);
    }
    byte[] known = bytes;
    return new UploadBody(
        known == null ? Content.Source.asInputStream(request) : new ByteArrayInputStream(known),
        isGzip,
        ContentDigest.read(request.getHeaders().get(ContentDigest.HEADER)));
  }

  private byte[] gunzip(byte[] sent) throws InvalidRequest {
    ByteArrayInputStream source = new ByteArrayInputStream(sent);
    // one gzip member and nothing after it: the JDK's stream recurses into each that follows
    try (InputStream in = new GzipCompressorInputStream(source)) {
      byte[] read = new byte[FIRST_BYTES];
      int length = 0;
      for (int count = 0; count >= 0; count = in.read(read, length, read.length - length)) {
        length += count;
        read = enlarged(read, length, 1);
      }
      if (source.available() == 0) {
        return Arrays.copyOf(read, length);
      }
    } catch (IOException broken) {
      // reported below
    }
    throw InvalidRequest.of("", ErrorCode.GZIP_BROKEN);
  }

  private static InvalidRequest tooLarge() {
    return InvalidRequest.of("", ErrorCode.BODY_TOO_LARGE, RequestContent.MAX_BYTES);
  }

  /** Makes room for {@code more} bytes: doubles the buffer, up to one byte more than the limit. */
  private byte[] enlarged(byte[] read, int length, int more) throws InvalidRequest {
    if (length + more <= read.length) {
      return read;
    }
    if (length + more > RequestContent.MAX_BYTES + 1) {
      throw tooLarge();
    }
    int size = Math.clamp(read.length * 2L, length + more, RequestContent.MAX_BYTES + 1);
    int extra = size - Math.max(read.length, Memory.FREE_BYTES);
    if (extra > 0) {
      if (!memory.take(extra)) {
        throw InvalidRequest.of("", ErrorCode.OVERLOADED, ConcurrencyLimits.retrySeconds());
      }
      taken += extra;
    }
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
