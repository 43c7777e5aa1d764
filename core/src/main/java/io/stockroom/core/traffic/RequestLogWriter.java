package io.stockroom.core.traffic;

import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.SqlFailures;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
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

/** Writes calls from a bounded queue in memory to the request log, in batches. */
final class RequestLogWriter {
  private static final Logger log = LoggerFactory.getLogger(RequestLogWriter.class);

  private static final int MAX_QUEUED = 2_000;
  private static final int MAX_QUEUED_BYTES = 16 * 1024 * 1024;
  private static final int BATCH = 200;
  private static final int PATH_CHARACTERS = 2_000;
  private static final int HEADER_CHARACTERS = 8_000;

  private static final Sql INSERT =
      Sql.of(
          """
          insert into request_log
            (merchant_id, at, request_id, application_id, endpoint, method, path, status,
             code, micros, address, headers, body, body_bytes, answer, answer_bytes)
          values
            (:merchantId, :at, :requestId, :applicationId, :endpoint, :method, :path, :status,
             :code, :micros, :address, :headers, :body, :bodyBytes, :answer, :answerBytes)
          """);

  private static final Sql FORGET = Sql.of("delete from request_log where at < :oldest");

  private static final Sql TRIM =
      Sql.of(
          """
          delete from request_log
          where merchant_id = :merchantId and id <= (
            select id from request_log where merchant_id = :merchantId
            order by id desc offset :rows limit 1)
          """);

  private final Cells cells;
  private final Settings settings;
  private final Queue<LoggedCall> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicInteger queuedBytes = new AtomicInteger();
  private final Set<Integer> grown = ConcurrentHashMap.newKeySet();

  RequestLogWriter(Cells cells, Settings settings) {
    this.cells = cells;
    this.settings = settings;
  }

  /** Returns false if the queue is full; never blocks. */
  boolean offer(LoggedCall kept) {
    if (queued.get() >= MAX_QUEUED || queuedBytes.get() >= MAX_QUEUED_BYTES) {
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

  /** Writes everything in the queue; stops early if the database is unavailable. */
  void flush() throws SQLException {
    List<LoggedCall> batch = new ArrayList<>();
    for (LoggedCall next : queue) {
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

  private void write(List<LoggedCall> batch) throws SQLException {
    try {
      cells.each(
          batch.stream().map(kept -> kept.exchange().merchantId()).distinct().toList(),
          (database, merchantIds) ->
              database.write(
                  connection ->
                      insert(
                          connection,
                          batch.stream()
                              .filter(kept -> merchantIds.contains(kept.exchange().merchantId()))
                              .toList())));
    } catch (SQLException | RuntimeException failure) {
      if (failure instanceof SQLException later
          && SqlFailures.isUnavailable(failure)
          && cells.all().size() == 1) {
        throw later;
      }
      // a retry would fail again and block the queue, also for the calls of other cells
      log.warn("calls are missing in the request log: {}", failure.getMessage());
    }
    for (LoggedCall written : batch) {
      queue.remove();
      queued.decrementAndGet();
      queuedBytes.addAndGet(-written.weight());
    }
  }

  private int insert(Connection connection, List<LoggedCall> batch) throws SQLException {
    AdvisoryLock.REQUEST_LOG.hold(connection);
    try (Sql.Batch rows = INSERT.batch(connection)) {
      for (LoggedCall kept : batch) {
        add(rows, kept);
      }
      rows.run();
    }
    return batch.size();
  }

  private void add(Sql.Batch rows, LoggedCall kept) throws SQLException {
    Exchange exchange = kept.exchange();
    Exchange.Content content = kept.content();
    List<Exchange.Header> headers = content.headers();
    byte[] body = content.body();
    rows.set("merchantId", exchange.merchantId())
        .set("at", kept.at())
        .set("requestId", exchange.requestId())
        .set("applicationId", exchange.applicationId())
        .set("endpoint", exchange.endpoint())
        .set("method", shortened(content.method(), 20))
        .set("path", shortened(Redaction.text(content.path()), PATH_CHARACTERS))
        .set("status", exchange.status())
        .set("code", exchange.code())
        .set("micros", exchange.nanos() / 1000)
        .set("address", content.address())
        .set("headers", head(headers))
        .set("body", body == null ? null : masked(body, List.of()))
        .set("bodyBytes", kept.bodyBytes())
        .set("answer", masked(content.answer(), headers))
        .set("answerBytes", kept.answerBytes())
        .add();
    grown.add(exchange.merchantId());
  }

  /** One line per header. */
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

  /** Decodes as ISO 8859-1, which preserves bytes that are not text. */
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

  /** Deletes old calls, and the oldest calls of merchants with too many. */
  void forgetOld(Instant now) throws SQLException {
    Instant oldest = now.minus(Duration.ofDays(settings.get(Settings.REQUEST_LOG_DAYS)));
    cells.each(
        database ->
            database.write(connection -> FORGET.on(connection).set("oldest", oldest).update()));
    Set<Integer> merchants = Set.copyOf(grown);
    grown.removeAll(merchants);
    for (int merchantId : merchants) {
      trim(merchantId);
    }
  }

  private void trim(int merchantId) throws SQLException {
    cells
        .of(merchantId)
        .write(
            connection ->
                TRIM.on(connection)
                    .set("merchantId", merchantId)
                    .set("rows", settings.get(Settings.REQUEST_LOG_ROWS))
                    .update());
  }
}
