package io.stockroom.server.http;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.admission.ConcurrencyLimits;
import io.stockroom.server.call.Input;
import io.stockroom.server.call.Problems;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, read when it is first needed: before the caller is known only where the
 * signature covers it. Its memory is counted as it arrives or is unpacked, not as it is announced,
 * and until the request is answered.
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

  /** What the caller said: the whole content, or null where it was not read or not unpacked. */
  byte @Nullable [] known() {
    return content == null && encoding().isEmpty() ? bytes : content;
  }

  /** The body unpacked, or null after noting why there is none; the bound holds for it too. */
  byte @Nullable [] content(Problems problems) {
    byte[] sent = read(problems);
    if (sent != null && content == null) {
      switch (encoding()) {
        case "" -> content = sent;
        case "gzip", "x-gzip" -> content = sent.length == 0 ? sent : unpacked(sent, problems);
        default -> problems.add("headers.Content-Encoding", ErrorCode.CONTENT_ENCODING, encoding());
      }
    }
    return content;
  }

  /** What was sent beside the headers, or null after noting why there is no body. */
  @Nullable Input input(Problems problems) {
    byte[] unpacked = content(problems);
    return unpacked == null
        ? null
        : Input.of(request.getContentType(), request.getQueryString(), unpacked);
  }

  /** How the body is compressed; empty where it is not. */
  private String encoding() {
    if (request.getHeader("Content-Encoding") == null) {
      return "";
    }
    String encoding =
        String.join(", ", Collections.list(request.getHeaders("Content-Encoding")))
            .strip()
            .toLowerCase(Locale.ROOT);
    return encoding.equals("identity") ? "" : encoding;
  }

  private byte @Nullable [] unpacked(byte[] sent, Problems problems) {
    ByteArrayInputStream source = new ByteArrayInputStream(sent);
    // one member and nothing behind it: the JDK's stream recurses into each that follows
    try (InputStream in = new GzipCompressorInputStream(source)) {
      byte[] read = readAll(in, -1, problems);
      if (read == null || source.available() == 0) {
        return read;
      }
    } catch (IOException broken) {
      // told below
    }
    problems.add("", ErrorCode.GZIP_BROKEN);
    return null;
  }

  /** The body as it was sent, or null after noting why there is none; at most the bound is read. */
  byte @Nullable [] read(Problems problems) {
    if (bytes != null) {
      return bytes;
    }
    long announced = request.getContentLengthLong();
    if (announced > Input.MOST_BYTES) {
      problems.add("", ErrorCode.BODY_TOO_LARGE, Input.MOST_BYTES);
      return null;
    }
    try {
      bytes = announced == 0 ? new byte[0] : readAll(request.getInputStream(), announced, problems);
      return bytes;
    } catch (IOException cut) {
      problems.add("", ErrorCode.BODY_INCOMPLETE);
      return null;
    }
  }

  private byte @Nullable [] readAll(InputStream in, long announced, Problems problems)
      throws IOException {
    byte[] read = new byte[announced > 0 ? (int) Math.min(announced, FIRST_BYTES) : FIRST_BYTES];
    int length = 0;
    while (true) {
      if (length == read.length) {
        if (announced == length) {
          return read;
        }
        read = grown(read, announced, problems);
        if (read == null) {
          return null;
        }
      }
      int count = in.read(read, length, read.length - length);
      if (count < 0) {
        return length == read.length ? read : Arrays.copyOf(read, length);
      }
      length += count;
    }
  }

  /** Room for twice as much, for one byte more than may come at most; null where there is none. */
  private byte @Nullable [] grown(byte[] read, long announced, Problems problems) {
    if (read.length > Input.MOST_BYTES) {
      problems.add("", ErrorCode.BODY_TOO_LARGE, Input.MOST_BYTES);
      return null;
    }
    long most = announced > 0 ? announced : Input.MOST_BYTES + 1;
    int size = (int) Math.min(most, read.length * 2L);
    if (!memory.take(size - read.length)) {
      problems.add("", ErrorCode.OVERLOADED, ConcurrencyLimits.retrySeconds());
      return null;
    }
    taken += size - read.length;
    return Arrays.copyOf(read, size);
  }

  @Override
  public void close() {
    memory.give(taken);
    taken = 0;
  }

  /** How much memory all bodies together may take while they are read and worked on. */
  static final class Memory {
    /** What every body may have: far less than its connection takes. */
    static final int FREE_BYTES = 8 * 1024;

    private final AtomicLong left;

    Memory(long bytes) {
      left = new AtomicLong(bytes);
    }

    /** Takes this many bytes; false, and takes none, where that would be too many. */
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
