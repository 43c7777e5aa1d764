package io.stockroom.server.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin API is available only on the admin port, with the limits of the public one. */
class AdminPortTest {
  private static final TestServer SERVER = TestServer.shared();

  @ParameterizedTest
  @ValueSource(strings = {"/admin", "/admin/", "/admin/merchants", "/ADMIN/merchants"})
  void isNotAvailableOnThePublicPort(String path) {
    Reply admin = request(SERVER.port(), "GET", path, "");
    Reply nothing = request(SERVER.port(), "GET", "/nothing", "");

    assertThat(admin.status()).isEqualTo(404);
    assertThat(admin.body().replace(path, "/nothing")).isEqualTo(nothing.body());
    assertThat(request(SERVER.port(), "POST", path, "").status()).isEqualTo(404);
  }

  @Test
  void isAvailableOnTheAdminPort() {
    assertThat(request(SERVER.adminPort(), "GET", "/admin/merchants", "").status()).isEqualTo(200);
    assertThat(
            Http.rawReply(
                    SERVER.adminPort(),
                    "GET /admin/merchants HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                .status())
        .isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource({"61, 200", "62, 400"})
  void acceptsSixtyFourHeadersAndRejectsMore(int more, int status) {
    String headers = "x: y\r\n".repeat(more);

    assertThat(request(SERVER.adminPort(), "GET", "/health/live", headers).status())
        .isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"15000, 200", "17000, 400"})
  void limitsTheHeaderSize(int length, int status) {
    String header = "x: " + "y".repeat(length) + "\r\n";

    assertThat(request(SERVER.adminPort(), "GET", "/health/live", header).status())
        .isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\nContent-Length: 16\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n",
        "x: a\nContent-Length: 2\r\n",
        "x: a\r\n b\r\n"
      })
  void rejectsAmbiguousRequests(String headers) {
    Reply reply = request(SERVER.adminPort(), "POST", "/admin/merchants", headers);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("HTTP_BROKEN");
  }

  @ParameterizedTest
  @CsvSource({"GET, /nothing, 404, NOT_FOUND", "DELETE, /health/live, 405, METHOD_NOT_ALLOWED"})
  void respondsInTheUsualFormat(String method, String path, int status, String code) {
    Reply reply = request(SERVER.adminPort(), method, path, "");

    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.codes()).containsExactly(code);
  }

  @Test
  void closesAConnectionWithASlowHeader() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), SERVER.adminPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: a".getBytes(US_ASCII));

      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  /** The default is loopback, independent of the public port's address. */
  @Test
  void listensOnItsOwnAddress() throws IOException {
    Optional<InetAddress> outside =
        Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address.getAddress().length == 4 && !address.isLoopbackAddress())
            .findFirst();
    TestServer open = TestServer.with(Map.of("address", "0.0.0.0"));

    if (outside.isPresent()) {
      assertThat(accepts(outside.get(), open.port())).isTrue();
      assertThat(accepts(outside.get(), open.adminPort())).isFalse();
    }
    assertThat(accepts(InetAddress.getLoopbackAddress(), open.adminPort())).isTrue();
    assertThat(Settings.with(Map.of("address", "0.0.0.0")).get(Settings.ADMIN_ADDRESS))
        .isEqualTo("127.0.0.1");
  }

  private static boolean accepts(InetAddress address, int port) {
    try (Socket socket = new Socket(address, port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  private static Reply request(int port, String method, String path, String headers) {
    return Http.rawReply(
        port,
        "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%sConnection: close\r\n\r\n"
            .formatted(method, path, SERVER.operatorKey(), headers));
  }
}
