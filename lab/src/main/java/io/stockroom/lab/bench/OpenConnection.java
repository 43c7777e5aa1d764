package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/**
 * A connection of the load driver: one request at a time. Parses only the needed parts of a
 * response.
 */
final class OpenConnection {
  /** The state of the current request. */
  enum State {
    BUSY,
    ANSWERED,
    ANSWERED_AND_CLOSED,
    CLOSED
  }

  private static final int MAX_HEADER = 4096;
  private static final int MAX_REQUEST_LINE = 32;
  private static final String SUCCESS = "{\"success\":true";

  /** One thread serves all connections. */
  private static final ByteBuffer SCRATCH = ByteBuffer.allocateDirect(1 << 16);

  private final SocketChannel channel;
  private final SelectionKey key;
  private final byte[] head = new byte[MAX_HEADER + SUCCESS.length()];
  private ByteBuffer request = ByteBuffer.allocate(0);
  private boolean busy;
  private long due;
  private int headLength;
  private int bodyStart;
  private long bodyLength;
  private long received;
  private boolean closes;
  private int status;

  OpenConnection(Selector selector, InetSocketAddress address) throws IOException {
    channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    key = channel.register(selector, SelectionKey.OP_CONNECT, this);
    try {
      var _ = channel.connect(address);
    } catch (IOException failure) {
      close();
    }
  }

  boolean isBusy() {
    return busy;
  }

  /** The path of the last request. */
  String path() {
    String start = new String(request.array(), 0, MAX_REQUEST_LINE, ISO_8859_1);
    int from = start.indexOf(' ') + 1;
    return start.substring(from, start.indexOf(' ', from));
  }

  long due() {
    return due;
  }

  int status() {
    return status;
  }

  boolean isSuccess() {
    int seen = headLength - bodyStart;
    return status == 200
        && seen >= SUCCESS.length()
        && new String(head, bodyStart, SUCCESS.length(), ISO_8859_1).equals(SUCCESS);
  }

  /** Whether a rejection has Retry-After. */
  boolean saysWhen() {
    return header(bodyStart).contains("\r\nretry-after: ");
  }

  /** Starts a request on an idle connection. */
  State begin(byte[] bytes, long dueNanos) {
    busy = true;
    due = dueNanos;
    request = ByteBuffer.wrap(bytes);
    headLength = 0;
    bodyStart = 0;
    bodyLength = -1;
    received = 0;
    closes = false;
    status = 0;
    return channel.isConnected() ? send() : channel.isOpen() ? State.BUSY : closed();
  }

  /** Without looking for the response, which cannot be there yet. */
  private State send() {
    try {
      write();
      return State.BUSY;
    } catch (IOException | java.nio.channels.CancelledKeyException broken) {
      return closed();
    }
  }

  private void write() throws IOException {
    var _ = channel.write(request);
    key.interestOps(
        request.hasRemaining()
            ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
            : SelectionKey.OP_READ);
  }

  /** Writes and reads as much as possible without blocking. */
  State go() {
    try {
      if (!channel.isConnected() && !channel.finishConnect()) {
        return State.BUSY;
      }
      if (request.hasRemaining()) {
        write();
        if (request.hasRemaining() && !key.isReadable()) {
          return State.BUSY;
        }
      }
      return read();
    } catch (IOException | java.nio.channels.CancelledKeyException broken) {
      return closed();
    }
  }

  private State read() throws IOException {
    while (true) {
      SCRATCH.clear();
      int count = channel.read(SCRATCH);
      if (count < 0) {
        return closed();
      }
      if (count == 0) {
        return State.BUSY;
      }
      SCRATCH.flip();
      int kept = Math.min(count, head.length - headLength);
      SCRATCH.get(head, headLength, kept);
      headLength += kept;
      received += count;
      if (bodyStart == 0) {
        readHead();
      }
      if (bodyStart > 0 && bodyLength >= 0 && received >= bodyStart + bodyLength) {
        busy = false;
        if (closes) {
          close();
          return State.ANSWERED_AND_CLOSED;
        }
        return State.ANSWERED;
      }
    }
  }

  private void readHead() {
    bodyStart = endOfHead();
    if (bodyStart == 0) {
      return;
    }
    String text = header(bodyStart);
    status = Integer.parseInt(text.substring(9, 12));
    int length = text.indexOf("\r\ncontent-length: ");
    bodyLength =
        length < 0
            ? -1
            : Long.parseLong(text.substring(length + 18, text.indexOf("\r\n", length + 2)));
    closes = text.contains("\r\nconnection: close");
  }

  /** Where the body starts; 0 if the head is not complete. Most of what is kept is the body. */
  private int endOfHead() {
    for (int i = 3; i < headLength; i++) {
      if (head[i] == '\n' && head[i - 1] == '\r' && head[i - 2] == '\n' && head[i - 3] == '\r') {
        return i + 1;
      }
    }
    return 0;
  }

  /** In lowercase, because header names are case-insensitive. */
  private String header(int length) {
    return new String(head, 0, length, ISO_8859_1).toLowerCase(Locale.ROOT);
  }

  private State closed() {
    close();
    // a response of unknown length ends with its connection
    boolean whole = busy && bodyStart > 0 && bodyLength < 0;
    busy = false;
    return whole ? State.ANSWERED_AND_CLOSED : State.CLOSED;
  }

  private void close() {
    key.cancel();
    try {
      channel.close();
    } catch (IOException gone) {
      // that was the purpose
    }
  }
}
