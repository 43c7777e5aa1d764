package io.stockroom.server.traffic;

import io.stockroom.server.database.AdvisoryLock;
import io.stockroom.server.database.Database;
import io.stockroom.server.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings calls into the request log: a bounded queue in memory, and batches out of it. */
final class RequestLogWriter {
  private static final Logger log = LoggerFactory.getLogger(RequestLogWriter.class);

  private static final int MOST_QUEUED = 2_000;
  private static final int MOST_QUEUED_BYTES = 16 * 1024 * 1024;
  private static final int BATCH = 200;
  private static final int PATH_CHARACTERS = 2_000;
  private static final int HEADER_CHARACTERS = 8_000;

  private final Database database;
  private final Settings settings;
  private final Queue<Kept> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicInteger queuedBytes = new AtomicInteger();
  private final Set<Integer> grown = ConcurrentHashMap.newKeySet();

  RequestLogWriter(Database database, Settings settings) {
    this.database = database;
    this.settings = settings;
  }

  /** Says whether there is room; a caller never waits for it. */
  boolean offer(Kept kept) {
    if (queued.get() >= MOST_QUEUED || queuedBytes.get() >= MOST_QUEUED_BYTES) {
      return false;
    }
    queued.incrementAndGet();
    queuedBytes.addAndGet(kept.weight());
    queue.add(kept);
    return true;
  }

  int queued() {
    return queued.get();
  }

  /** Writes everything that waits. What the database cannot take now waits on. */
  void flush() throws SQLException {
    List<Kept> batch = new ArrayList<>();
    for (Kept next : queue) {
      batch.add(next);
      if (batch.size() == BATCH) {
        write(batch);
        batch.clear();
      }
    }
    if (!batch.isEmpty()) {
      write(batch);
    }
  }

  private void write(List<Kept> batch) throws SQLException {
    try {
      database.write(connection -> insert(connection, batch));
    } catch (SQLException | RuntimeException failure) {
      if (failure instanceof SQLException later && Database.isUnavailable(failure)) {
        throw later;
      }
      // trying again would fail again, and hold up all that comes after
      log.warn("{} calls are missing in the request log: {}", batch.size(), failure.getMessage());
    }
    for (Kept written : batch) {
      queue.remove();
      queued.decrementAndGet();
      queuedBytes.addAndGet(-written.weight());
    }
  }

  private int insert(Connection connection, List<Kept> batch) throws SQLException {
    AdvisoryLock.REQUEST_LOG.hold(connection);
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
                insert into request_log
                  (merchant_id, at, request_id, application_id, endpoint, method, path, status,
                   code, micros, address, headers, body, body_bytes, answer, answer_bytes)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)) {
      for (Kept kept : batch) {
        bind(statement, kept);
        statement.addBatch();
      }
      return statement.executeBatch().length;
    }
  }

  private void bind(PreparedStatement statement, Kept kept) throws SQLException {
    Exchange exchange = kept.exchange();
    Exchange.Content content = kept.content();
    List<Exchange.Header> headers = content.headers();
    byte[] body = content.body();
    statement.setInt(1, exchange.merchantId());
    statement.setObject(2, TrafficTable.time(kept.at()));
    statement.setString(3, exchange.requestId());
    statement.setInt(4, exchange.applicationId());
    statement.setString(5, exchange.endpoint());
    statement.setString(6, shortened(content.method(), 20));
    statement.setString(7, shortened(Redaction.text(content.path()), PATH_CHARACTERS));
    statement.setInt(8, exchange.status());
    statement.setString(9, exchange.code());
    statement.setLong(10, exchange.nanos() / 1000);
    statement.setString(11, content.address());
    statement.setString(12, head(headers));
    statement.setBytes(13, body == null ? null : masked(body, List.of()));
    statement.setInt(14, kept.bodyBytes());
    statement.setBytes(15, masked(content.answer(), headers));
    statement.setInt(16, kept.answerBytes());
    grown.add(exchange.merchantId());
  }

  /** A line for each header, as it stands in a request. */
  private static String head(List<Exchange.Header> headers) {
    StringBuilder text = new StringBuilder();
    for (Exchange.Header header : headers) {
      text.append(header.name())
          .append(": ")
          .append(Redaction.header(header.name(), header.value()));
      text.append('\n');
    }
    return shortened(text.toString(), HEADER_CHARACTERS);
  }

  /** Bytes that are no text are kept as they are: ISO 8859-1 gives each of them back. */
  private static byte[] masked(byte[] bytes, List<Exchange.Header> headers) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String masked = Redaction.answer(text, headers);
    return masked.equals(text)
        ? bytes
        : masked.replace(Redaction.CUT, '*').getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String shortened(String text, int most) {
    String kept = text.length() <= most ? text : text.substring(0, most) + Redaction.CUT;
    return kept.replace('\0', '?');
  }

  /** Lets go of what is too old, and of what a merchant has too much of. */
  void forgetOld(Instant now) throws SQLException {
    Instant oldest = now.minus(Duration.ofDays(settings.get(Settings.REQUEST_LOG_DAYS)));
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement("delete from request_log where at < ?")) {
            statement.setObject(1, TrafficTable.time(oldest));
            return statement.executeUpdate();
          }
        });
    Set<Integer> merchants = Set.copyOf(grown);
    grown.removeAll(merchants);
    for (int merchantId : merchants) {
      trim(merchantId);
    }
  }

  private void trim(int merchantId) throws SQLException {
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  delete from request_log
                  where merchant_id = ? and id <= (
                    select id from request_log where merchant_id = ?
                    order by id desc offset ? limit 1)
                  """)) {
            statement.setInt(1, merchantId);
            statement.setInt(2, merchantId);
            statement.setInt(3, settings.get(Settings.REQUEST_LOG_ROWS));
            return statement.executeUpdate();
          }
        });
  }
}
