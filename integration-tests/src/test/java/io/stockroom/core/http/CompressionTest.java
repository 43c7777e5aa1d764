package io.stockroom.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** gzip for responses and for request bodies. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompressionTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  private record Answered(String head, byte[] body) {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip",
        "GZIP",
        "x-gzip",
        "gzip;q=0.001",
        "deflate, gzip;q=1.0, *;q=0.5",
        "*",
        "br, *;q=0.1",
        "gzip ; q=1",
        "identity;q=0.5, gzip;q=0.5",
      })
  void isAccepted(String header) {
    assertThat(Compression.isAccepted(List.of(header))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "br",
        "identity",
        "gzip;q=0",
        "gzip;q=0.000",
        "*;q=0",
        "gzip;q=0, *",
        "gzip;q=2",
        "gzip;q=x",
        "identity, gzip;q=0.5",
        "gzipped",
      })
  void isNotAccepted(String header) {
    assertThat(Compression.isAccepted(List.of(header))).isFalse();
  }

  @Test
  void compressesResponsesOfMoreThanAKibibyte() throws IOException {
    TestMerchant padded = TestMerchant.fresh();
    Api reader = padded.api();
    padded.product();
    String pic = "http://pictures.example/A1.jpg";
    int rest = reader.products("page=1").body().length() - pic.length();
    for (int bytes : List.of(1024, 1025)) {
      String longer = pic + "?" + "x".repeat(bytes - rest - pic.length() - 1);
      padded.importProducts(TestMerchant.line("A1").replace(pic, longer));

      Answered gzip = answered(reader, "Accept-Encoding: gzip, deflate");
      Answered plain = answered(reader);

      assertThat(plain.body).hasSize(bytes);
      assertThat(plain.head).doesNotContain("Content-Encoding");
      if (bytes == 1024) {
        assertThat(gzip).usingRecursiveComparison().ignoringFields("head").isEqualTo(plain);
        assertThat(gzip.head + plain.head).doesNotContain("Content-Encoding", "Vary");
      } else {
        assertThat(gzip.head)
            .contains(
                "Content-Encoding: gzip",
                "Vary: Accept-Encoding",
                "Content-Length: " + gzip.body.length);
        assertThat(plain.head).contains("Vary: Accept-Encoding");
        assertThat(unpacked(gzip.body)).isEqualTo(plain.body);
        assertThat(gzip.body.length).isLessThan(500);
        assertThat(answered(reader, "Accept-Encoding: gzip;q=0").body).isEqualTo(plain.body);
      }
    }
  }

  @Test
  void acceptsGzipBodies() {
    Api writer = merchant.application();
    long timestamp = writer.nextTimestamp();
    String body = Stock.one(pid, "red", "36", 7);

    Reply gzip = create(writer, gzip(body), "gzip").at(timestamp).send();
    Reply plain = writer.call("/Stock/Creat").json(body).at(timestamp).send();

    assertThat(gzip.success()).isTrue();
    assertThat(plain.whole()).as("the same content, sent again").isEqualTo(gzip.whole());
    assertThat(api.stock(pid).data("stock")).contains("7");
    assertThat(
            api.call("/Stock/Product")
                .body("application/x-www-form-urlencoded", gzip("page=1"))
                .header("Content-Encoding", "x-gzip")
                .send()
                .success())
        .isTrue();
    assertThat(api.call("/Usage").header("Content-Encoding", "gzip").send().success()).isTrue();
    assertThat(create(api, body.getBytes(UTF_8), "identity").send().success()).isTrue();
  }

  @Test
  void limitsTheDecompressedBody() {
    String body = Stock.one(pid, "blue", "36", 1);
    String inside = " ".repeat(RequestContent.MAX_BYTES - body.length()) + body;

    assertThat(create(api, gzip(inside), "gzip").send().success()).isTrue();
    assertThat(create(api, gzip(" " + inside), "gzip").send().codes())
        .containsExactly("BODY_TOO_LARGE");
    byte[] bomb = gzip("\0".repeat(64 << 20));
    assertThat(bomb).hasSizeLessThan(RequestContent.MAX_BYTES);
    assertThat(create(api, bomb, "gzip").send().codes()).containsExactly("BODY_TOO_LARGE");
  }

  @Test
  void rejectsInvalidGzip() {
    byte[] whole = gzip(Stock.one(pid, "green", "36", 1));
    byte[] half = Arrays.copyOf(whole, whole.length / 2);

    byte[] twice = Arrays.copyOf(whole, whole.length * 2);
    System.arraycopy(whole, 0, twice, whole.length, whole.length);
    byte[] empty = gzip("");
    ByteBuffer many = ByteBuffer.allocate(empty.length * 60_000);
    while (many.hasRemaining()) {
      many.put(empty);
    }

    for (byte[] broken : List.of(half, "[]".getBytes(UTF_8), twice, many.array())) {
      Reply reply = create(api, broken, "gzip").send();
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.codes()).containsExactly("GZIP_BROKEN");
    }
    for (String encoding : List.of("br", "deflate", "gzip, gzip")) {
      Reply reply = create(api, whole, encoding).send();
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.codes()).containsExactly("CONTENT_ENCODING");
      assertThat(reply.places()).containsExactly("headers.Content-Encoding");
      assertThat(reply.msg()).contains(encoding);
    }
  }

  @Test
  void verifiesTheSignatureOfTheCompressedBody() {
    byte[] sent = gzip(Stock.one(pid, "signed", "36", 1));

    assertThat(signed(sent, sent).success()).isTrue();
    assertThat(signed(sent, Stock.one(pid, "signed", "36", 1).getBytes(UTF_8)).codes())
        .containsExactly("CREDENTIALS_WRONG");
  }

  private Reply signed(byte[] sent, byte[] signed) {
    String time = Long.toString(api.nextTimestamp());
    String sign =
        Signature.hmac(api.secret(), "POST", "/Stock/Creat", time, api.accesstoken(), signed);
    return create(api, sent, "gzip")
        .at(time)
        .header("sign-method", "hmac-sha256")
        .header("sign", sign)
        .send();
  }

  private static Call create(Api api, byte[] body, String encoding) {
    return api.call("/Stock/Creat")
        .body("application/json", body)
        .header("Content-Encoding", encoding);
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] unpacked(byte[] gzip) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return in.readAllBytes();
    }
  }

  /** The raw response to a product list: a client would decompress it. */
  private static Answered answered(Api api, String... lines) throws IOException {
    String[] all = Arrays.copyOf(lines, lines.length + 2);
    all[lines.length] = "Content-Length: 6";
    all[lines.length + 1] = "Connection: close";
    String request = api.call("/Stock/Product").form("").head(all) + "page=1";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.server().port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      int end = answer.indexOf("\r\n\r\n");
      return new Answered(answer.substring(0, end), answer.substring(end + 4).getBytes(ISO_8859_1));
    }
  }
}
