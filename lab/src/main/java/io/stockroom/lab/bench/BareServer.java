package io.stockroom.lab.bench;

import io.stockroom.core.http.WebServer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Implements {@code lab/bare}: the same web server with the same settings, which answers every
 * request with the bytes of a file and does nothing else. What it serves is all that the server
 * could.
 */
final class BareServer {
  private static final int MAX_CONNECTIONS = 10_000;

  private BareServer() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("Usage: lab/bare PORT FILE");
      System.exit(2);
    }
    byte[] answer = Files.readAllBytes(Path.of(arguments[1]));
    WebServer server =
        new WebServer(
            "127.0.0.1",
            Integer.parseInt(arguments[0]),
            MAX_CONNECTIONS,
            null,
            Thread.ofVirtual().factory());
    server.serve(new Fixed(answer));
    server.start();
  }

  private static final class Fixed extends Handler.Abstract.NonBlocking {
    private final byte[] answer;

    Fixed(byte[] answer) {
      this.answer = answer;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Content.Source.consumeAll(
          request, Callback.from(() -> answer(response, callback), callback::failed));
      return true;
    }

    private void answer(Response response, Callback callback) {
      Thread.ofVirtual()
          .start(
              () -> {
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                response.write(true, ByteBuffer.wrap(answer), callback);
              });
    }
  }
}
