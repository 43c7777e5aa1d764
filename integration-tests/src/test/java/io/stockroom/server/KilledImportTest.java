package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.TestImports;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a small heap is killed during the import of a larger file. */
class KilledImportTest {
  private static final int PRODUCTS = 300;
  private static final int HEAP_MEGABYTES = 64;
  private static final int LONG_CELL = (HEAP_MEGABYTES + 4) << 20;

  @TempDir Path folder;

  @Test
  void continuesFromTheStoredFileAfterACrashWithABoundedHeap() throws Exception {
    try (ScratchDatabase database = ScratchDatabase.withTables()) {
      int merchantId;
      int importId;
      try (ServerOwner owner =
          ServerOwner.start(folder, database.address(), HEAP_MEGABYTES + "m")) {
        merchantId = TestMerchant.on(owner.server()).id();
        importId = killAmidTheImport(owner, database, merchantId);
      }
      endTheLease(database);

      try (Stockroom again = database.serve(folder)) {
        Reply job = new TestImports(TestServer.of(again), merchantId).end(importId);

        assertThat(job.json().get("state").asString()).as(job.body()).isEqualTo("applied");
        assertThat(job.json().get("created").asInt()).isEqualTo(PRODUCTS);
        assertThat(job.json().get("failed").asInt()).isEqualTo(1);
        assertThat(job.json().at("/errors/0/code").asString()).isEqualTo("CELL_TOO_LONG");
      }
    }
  }

  private static int killAmidTheImport(ServerOwner owner, ScratchDatabase database, int merchantId)
      throws SQLException {
    try (Connection _ = holdMerchants(database.address())) {
      Reply sent =
          new TestImports(owner.server(), merchantId)
              .send(
                  "p.csv",
                  BodyPublishers.ofInputStream(KilledImportTest::file),
                  "apply=true&skipBad=true");
      assertThat(sent.status()).as(sent.body()).isEqualTo(202);
      assertThat(Eventually.within(Duration.ofSeconds(30), () -> someoneWaits(database))).isTrue();
      owner.kill();
      return sent.json().get("importId").asInt();
    }
  }

  /** Blocks the import at the merchant's row until the connection is closed. */
  private static Connection holdMerchants(DatabaseAddress address) throws SQLException {
    Connection connection =
        DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select 1 from merchant_data for no key update");
    }
    return connection;
  }

  private static boolean someoneWaits(ScratchDatabase database) {
    return !database
        .texts(
            """
            select pid from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
            """)
        .isEmpty();
  }

  /** Ends the dead server's lease on the import, to avoid waiting for it. */
  private static void endTheLease(ScratchDatabase database) {
    assertThat(
            database.texts(
                """
                update import set lease_until = now()
                where lease_until <= now() + interval '8 seconds' returning import_id
                """))
        .hasSize(1);
  }

  /** A row with a cell larger than the heap, followed by products. */
  private static InputStream file() {
    StringBuilder rest = new StringBuilder("\n");
    for (int i = 0; i < PRODUCTS; i++) {
      rest.append("A").append(i).append(",Boot,5,,red,1,2,3\n");
    }
    return new SequenceInputStream(
        Collections.enumeration(
            List.of(
                bytes("artNo,title,price,description,color,36,37,38\nLONG,Boot,5,"),
                new Endless(LONG_CELL),
                bytes(",red,1,2,3"),
                bytes(rest.toString()))));
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A stream of the given number of letters. */
  private static final class Endless extends InputStream {
    private long left;

    Endless(long length) {
      this.left = length;
    }

    @Override
    public int read() throws IOException {
      return left-- > 0 ? 'x' : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (left <= 0) {
        return -1;
      }
      int part = (int) Math.min(left, length);
      Arrays.fill(into, offset, offset + part, (byte) 'x');
      left -= part;
      return part;
    }
  }
}
