package io.stockroom.server.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Instant;
import java.util.Map;

/**
 * Sends a request as it is, after {@code @sign} and the like have been replaced, for a merchant
 * without products. It has a server of its own, because failed authentications are throttled by
 * address.
 */
final class HttpFuzz {
  private static final int PATIENCE_MILLIS = 20_000;

  private HttpFuzz() {}

  /** Started when it is first needed. */
  private static final class Access {
    private static final TestServer SERVER =
        TestServer.with(Map.of("limits.failed-authentications", "2000000000"));
    private static final Api API = TestMerchant.on(SERVER).api();
  }

  static void send(byte[] bytes) throws IOException {
    String timestamp = Long.toString(Instant.now().getEpochSecond());
    String request =
        new String(bytes, ISO_8859_1)
            .replace("@appid", Access.API.appid())
            .replace("@sign", Access.API.sign(timestamp))
            .replace("@timestamp", timestamp)
            .replace("@token", Access.API.accesstoken());
    String answer = "";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Access.SERVER.port())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    } catch (SocketException reset) {
      // the server may close before reading everything
      return;
    }
    boolean hasEnded = request.contains("\r\n\r\n") || request.contains("\n\n");
    Target.require(!hasEnded || !answer.isEmpty(), "an answer");
    // 501 and 505 say that the client speaks another HTTP
    Target.require(!answer.matches("(?s)HTTP/1.1 5(?!01|05).*"), "no failure of the server");
  }
}
