package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One connection through the proxy. It parses just enough of the PostgreSQL protocol (version 3,
 * without TLS) to find texts and the COMMIT of a transaction.
 */
final class ProxiedConnection {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final String COMMIT = "COMMIT";

  private final PostgresProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Set<String> commitStatements = new HashSet<>();

  /** The armed text that the current transaction contains. */
  private volatile @Nullable String doomed;

  private record Message(int type, byte[] content) {
    /** The zero-terminated text at {@code from}. */
    String text(int from) {
      int end = from;
      while (content[end] != 0) {
        end++;
      }
      return new String(content, from, end - from, UTF_8);
    }

    boolean carries(String text) {
      byte[] wanted = text.getBytes(UTF_8);
      for (int at = 0; at + wanted.length <= content.length; at++) {
        if (ByteBuffer.wrap(content, at, wanted.length).equals(ByteBuffer.wrap(wanted))) {
          return true;
        }
      }
      return false;
    }
  }

  ProxiedConnection(PostgresProxy proxy, Socket client, Socket server) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  void start() {
    Thread.ofPlatform().daemon().start(() -> run(this::requests));
    Thread.ofPlatform().daemon().start(() -> run(this::replies));
  }

  private interface Direction {
    void run() throws IOException;
  }

  private void run(Direction direction) {
    try {
      direction.run();
    } catch (IOException gone) {
      // one side has closed; the other is closed below
    }
    close();
  }

  private void requests() throws IOException {
    DataInputStream in = input(client);
    DataOutputStream out = output(server);
    login(in, out);
    while (true) {
      Message message = read(in);
      if (isLost(message)) {
        return;
      }
      write(out, message, in.available() == 0);
    }
  }

  /** The first packet has no type; requests for encryption are declined. */
  private void login(DataInputStream in, DataOutputStream out) throws IOException {
    while (true) {
      int length = in.readInt();
      byte[] content = in.readNBytes(length - 4);
      int code = ByteBuffer.wrap(content).getInt();
      if (code == SSL_REQUEST || code == GSS_REQUEST) {
        client.getOutputStream().write('N');
        continue;
      }
      out.writeInt(length);
      out.write(content);
      out.flush();
      return;
    }
  }

  private boolean isLost(Message message) {
    boolean commit = false;
    switch (message.type) {
      case 'P' -> {
        String name = message.text(0);
        String sql = message.text(name.getBytes(UTF_8).length + 1);
        // the driver leaves the line break between two statements
        if (sql.strip().equalsIgnoreCase(COMMIT)) {
          commitStatements.add(name);
        } else {
          commitStatements.remove(name);
        }
      }
      case 'B' -> {
        int portal = message.text(0).getBytes(UTF_8).length;
        commit = commitStatements.contains(message.text(portal + 1));
        for (String text : proxy.armed().keySet()) {
          if (!commit && message.carries(text)) {
            doomed = text;
          }
        }
      }
      case 'Q' -> commit = message.text(0).equalsIgnoreCase(COMMIT);
      default -> {}
    }
    return commit && lose(PostgresProxy.Loss.REQUEST);
  }

  private boolean lose(PostgresProxy.Loss how) {
    String text = doomed;
    if (text == null || proxy.armed().get(text) != how) {
      return false;
    }
    proxy.strike(text);
    return true;
  }

  private void replies() throws IOException {
    DataInputStream in = input(server);
    DataOutputStream out = output(client);
    while (true) {
      Message message = read(in);
      if (message.type == 'C' && message.text(0).equals(COMMIT)) {
        if (lose(PostgresProxy.Loss.REPLY)) {
          return;
        }
        doomed = null;
      }
      write(out, message, in.available() == 0);
    }
  }

  private static Message read(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    return new Message(type, in.readNBytes(in.readInt() - 4));
  }

  private static void write(DataOutputStream out, Message message, boolean last)
      throws IOException {
    out.writeByte(message.type);
    out.writeInt(message.content.length + 4);
    out.write(message.content);
    if (last) {
      out.flush();
    }
  }

  private static DataInputStream input(Socket socket) throws IOException {
    return new DataInputStream(new BufferedInputStream(socket.getInputStream(), 65_536));
  }

  private static DataOutputStream output(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 65_536));
  }

  void close() {
    try (client;
        server) {
      // both at once
    } catch (IOException gone) {
      // nothing more to do with them
    }
  }
}
