package io.stockroom.files.export;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Exports larger than the buffers between server and client, so that tests can observe them while
 * they run.
 */
class BrokenExportTest {
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";
  private static final String RUNNING =
      "select count(*) from pg_stat_activity where state = 'active' and query like 'copy (%'"
          + " and query like '%merchant_id = ?%'";

  private final TestServer server = TestServer.shared();
  private final TestMerchant merchant = TestMerchant.fresh();

  @BeforeEach
  void fill() throws SQLException {
    int pid = merchant.product();
    execute(
        """
        insert into product (merchant_id, product_id, number, art_no, pic)
        select %1$d, %2$d + n, n, 'B' || n, '' from generate_series(1, 1500) n;
        insert into product_detail
        select merchant_id, p.product_id, title, repeat('x', 20000), imgs, price, category_id_tree,
               category_name_tree, attribute_names, attribute_values, video, image_colors, image_urls
        from product p join product_detail d using (merchant_id)
        where merchant_id = %1$d and d.product_id = %2$d and p.product_id <> %2$d;
        update merchant_data set products = 1501 where merchant_id = %1$d;
        """
            .formatted(merchant.id(), pid));
  }

  @Test
  void completesAWholeFile() throws IOException {
    try (Socket socket = ask(server)) {
      byte[] answer = socket.getInputStream().readAllBytes();

      assertThat(answer.length).isGreaterThan(30_000_000);
      assertThat(end(answer)).isEqualTo(LAST_CHUNK);
    }
  }

  @Test
  void closesTheConnectionIfTheDatabaseFailsDuringAnExport() throws IOException, SQLException {
    try (Socket socket = ask(server)) {
      readSome(socket);
      execute(
          """
          select pg_terminate_backend(pid) from pg_stat_activity
          where query like 'copy (%%' and query like '%%merchant_id = %d%%'
          """
              .formatted(merchant.id()));

      String end = end(rest(socket.getInputStream()));

      assertThat(end).isNotEqualTo(LAST_CHUNK);
    }
  }

  @Test
  void stopsReadingTheDatabaseWhenTheClientDisconnects() throws IOException {
    try (Socket socket = ask(server)) {
      readSome(socket);
      assertThat(running()).isPositive();
    }
    assertThat(Eventually.within(Duration.ofSeconds(10), () -> running() == 0)).isTrue();
    // the connections were returned in a usable state
    assertThat(merchant.productIds()).isNotEmpty();
  }

  @Test
  void exportsAConsistentSnapshot() throws IOException, SQLException {
    try (Socket socket = ask(server)) {
      readSome(socket);
      execute("update product_detail set title = 'Changed' where merchant_id = " + merchant.id());

      byte[] answer = rest(socket.getInputStream());

      assertThat(end(answer)).isEqualTo(LAST_CHUNK);
      assertThat(new String(answer, US_ASCII)).contains("Shoe A1").doesNotContain("Changed");
    }
  }

  @Test
  void limitsExportsToKeepConnectionsForOthers() throws IOException {
    // six connections: one concurrent export
    TestServer small = TestServer.with(Map.of("limits.create-interval", "PT0S", "page-size", "51"));
    List<Socket> sockets = new ArrayList<>();
    try {
      sockets.add(ask(small));
      readSome(sockets.getFirst());
      sockets.add(ask(small));
      String second = new String(sockets.get(1).getInputStream().readAllBytes(), US_ASCII);

      assertThat(second).startsWith("HTTP/1.1 429").contains("EXPORTS_BUSY", "Retry-After: 10");
      assertThat(merchant.api().on(small).products("page=1").status()).isEqualTo(200);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    // the slot is released a moment after the database is told to stop
    assertThat(Eventually.within(Duration.ofSeconds(10), () -> begins(small, "HTTP/1.1 200")))
        .isTrue();
  }

  @Test
  void limitsAMerchantToHalfOfTheExports() throws IOException {
    // sixteen connections: four concurrent exports
    TestMerchant other = TestMerchant.fresh();
    int pid = other.product();
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        sockets.add(ask(server));
        readSome(sockets.getLast());
      }
      sockets.add(ask(server));
      String third = new String(sockets.getLast().getInputStream().readAllBytes(), US_ASCII);

      assertThat(third)
          .startsWith("HTTP/1.1 429")
          .contains("EXPORTS_OF_MERCHANT", "Retry-After: 10");
      String theirs =
          new String(
              Admin.of(server)
                  .download("/admin/merchants/%d/products/export?format=csv".formatted(other.id())),
              US_ASCII);
      assertThat(theirs).contains("Shoe A1");
      HttpResponse<String> page =
          Pages.of(TestPerson.of(merchant)).get("/console/export?format=csv");
      assertThat(page.statusCode()).isEqualTo(429);
      assertThat(page.headers().firstValue("Retry-After")).contains("10");
      assertThat(other.productIds()).containsExactly(pid);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    assertThat(Eventually.within(Duration.ofSeconds(10), () -> begins(server, "HTTP/1.1 200")))
        .isTrue();
  }

  private boolean begins(TestServer asked, String expected) {
    try (Socket socket = ask(asked)) {
      byte[] beginning = socket.getInputStream().readNBytes(expected.length());
      return new String(beginning, US_ASCII).equals(expected);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private Socket ask(TestServer asked) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), asked.adminPort());
    socket.setSoTimeout(20_000);
    String request =
        "GET /admin/merchants/%d/products/export?format=csv HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(merchant.id(), asked.operatorKey());
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    socket.getOutputStream().flush();
    return socket;
  }

  private static void readSome(Socket socket) throws IOException {
    assertThat(socket.getInputStream().readNBytes(10_000)).hasSize(10_000);
  }

  /** Reads until the end of the stream or a connection reset. */
  private static byte[] rest(InputStream stream) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] piece = new byte[1 << 16];
    try {
      for (int read = stream.read(piece); read >= 0; read = stream.read(piece)) {
        all.write(piece, 0, read);
      }
    } catch (SocketException reset) {
      return all.toByteArray();
    }
    return all.toByteArray();
  }

  private static String end(byte[] answer) {
    int length = Math.min(answer.length, LAST_CHUNK.length());
    return new String(answer, answer.length - length, length, US_ASCII);
  }

  private int running() {
    return Integer.parseInt(merchant.texts(RUNNING).getFirst());
  }

  private static void execute(String sql) throws SQLException {
    TestServer.shared()
        .database()
        .write(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
              }
            });
  }
}
