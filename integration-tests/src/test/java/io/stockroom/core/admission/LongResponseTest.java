package io.stockroom.core.admission;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A response that is too long for the buffer of a new connection. */
class LongResponseTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @Test
  void isSentInOnePieceToAConnectionThatHadOneBefore() throws IOException {
    String sizes =
        IntStream.rangeClosed(1, 60)
            .mapToObj("{\"size\":\"%d\",\"stock\":1}"::formatted)
            .collect(Collectors.joining(","));
    Reply created =
        api.create("[{\"pid\":%d,\"color\":\"red\",\"param\":[%s]}]".formatted(pid, sizes));
    assertThat(created.status()).as(created.body()).isEqualTo(200);

    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.server().port())) {
      socket.setSoTimeout(20_000);
      int length = ask(socket, 0);
      assertThat(length).isBetween(4_096 + 1, 8_192);

      // one read returns what one write sent; the buffer grows just after the first response
      assertThat(Eventually.within(Duration.ofSeconds(20), () -> ask(socket, length) == length))
          .isTrue();
    }
  }

  /** Asks for the stock; returns the bytes of the response, or of its first piece if known. */
  private int ask(Socket socket, int known) {
    try {
      return tryAsk(socket, known);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private int tryAsk(Socket socket, int known) throws IOException {
    String form = "productid=" + pid;
    String timestamp = Long.toString(api.nextTimestamp());
    String request =
        """
        POST /Stock/List HTTP/1.1
        Host: localhost
        appid: %s
        sign: %s
        timestamp: %s
        accesstoken: %s
        Content-Type: application/x-www-form-urlencoded
        Content-Length: %d

        %s"""
            .formatted(
                api.appid(), api.sign(timestamp), timestamp, api.accesstoken(), form.length(), form)
            .replace("\n", "\r\n");
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    byte[] answer = new byte[1 << 14];
    int length = socket.getInputStream().read(answer);
    int first = length;
    while (!new String(answer, 0, length, ISO_8859_1).endsWith("\"msg\":\"\"}")) {
      length += socket.getInputStream().read(answer, length, answer.length - length);
    }
    return known == 0 ? length : first;
  }
}
