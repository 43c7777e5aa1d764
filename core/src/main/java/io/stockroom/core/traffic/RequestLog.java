package io.stockroom.core.traffic;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Rows;
import io.stockroom.core.database.Sql;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request log as people read it: newest first, or followed as it grows. */
public final class RequestLog {
  /** How a call ended, as people ask for it. */
  public enum Outcome {
    SUCCEEDED("succeeded", "l.code = ''"),
    REJECTED("rejected", "l.code <> '' and l.status < 500"),
    FAILED("failed", "l.code <> '' and l.status >= 500");

    private final String word;
    private final String condition;

    Outcome(String word, String condition) {
      this.word = word;
      this.condition = condition;
    }

    public String word() {
      return word;
    }

    /** The outcome of this name; null where there is none. */
    public static @Nullable Outcome of(String word) {
      for (Outcome outcome : values()) {
        if (outcome.word.equals(word)) {
          return outcome;
        }
      }
      return null;
    }
  }

  /**
   * Which calls are wanted.
   *
   * @param merchantId null for all merchants and those that nobody knows
   * @param endpoint empty for all
   * @param code an error code; empty for all
   * @param requestId the beginning of one; empty for all
   * @param until calls up to this moment; null for all
   */
  public record Wanted(
      @Nullable Integer merchantId,
      String endpoint,
      @Nullable Outcome outcome,
      String code,
      String requestId,
      @Nullable Instant until) {
    public static Wanted all(@Nullable Integer merchantId) {
      return new Wanted(merchantId, "", null, "", "", null);
    }
  }

  /**
   * A call.
   *
   * @param merchant the merchant's name; null where nobody knows whose call it was
   * @param appid null where nobody knows the application
   * @param path as it was called, with the query string
   */
  public record Row(
      long id,
      Instant at,
      String requestId,
      int merchantId,
      @Nullable String merchant,
      @Nullable String appid,
      String endpoint,
      String method,
      String path,
      int status,
      String code,
      long micros,
      String address) {
    private Row named(@Nullable String merchantName, @Nullable String application) {
      return new Row(
          id,
          at,
          requestId,
          merchantId,
          merchantName,
          application,
          endpoint,
          method,
          path,
          status,
          code,
          micros,
          address);
    }

    public Outcome outcome() {
      if (status >= 500) {
        return Outcome.FAILED;
      }
      return code.isEmpty() ? Outcome.SUCCEEDED : Outcome.REJECTED;
    }
  }

  /**
   * A call with all that is kept of it.
   *
   * @param headers a line for each
   * @param body null where it was not read
   * @param bodyBytes how long it really was
   * @param answerBytes how long it really was
   */
  public record Whole(
      Row row,
      List<Exchange.Header> headers,
      byte @Nullable [] body,
      int bodyBytes,
      byte[] answer,
      int answerBytes) {
    public boolean isBodyCut() {
      return bodyBytes > LoggedCall.MAX_BYTES;
    }

    public boolean isAnswerCut() {
      return answerBytes > LoggedCall.MAX_BYTES;
    }
  }

  /** So long is an id; a whole one is found at once, a beginning among all of them. */
  private static final int WHOLE_ID = 16;

  private static final String ROW =
      """
      select l.id, l.at, l.request_id, l.merchant_id, l.application_id, l.endpoint, l.method,
        l.path, l.status, l.code, l.micros, l.address
      """;

  private static final Sql FIND =
      Sql.of(
          """
          %s, l.headers, l.body, l.body_bytes, l.answer, l.answer_bytes
          from request_log l
          where l.request_id = :requestId
            and (:merchantId::int is null or l.merchant_id = :merchantId::int)
          order by l.id desc limit 1
          """
              .formatted(ROW));

  private final Database database;

  public RequestLog(Database database) {
    this.database = database;
  }

  /** The newest calls with a lower id than {@code before}; 0 for the newest of all. */
  public List<Row> newest(Wanted wanted, long before, int most) throws SQLException {
    return rows(
        wanted, before == 0 ? "" : " and l.id < " + before, " order by l.id desc limit " + most);
  }

  /** The calls that came after the one with this id, in their order. */
  public List<Row> since(Wanted wanted, long after, int most) throws SQLException {
    return rows(wanted, " and l.id > " + after, " order by l.id limit " + most);
  }

  private List<Row> rows(Wanted wanted, String bound, String order) throws SQLException {
    StringBuilder sql = new StringBuilder(ROW + "from request_log l where true").append(bound);
    Map<String, Object> values = new HashMap<>();
    add(sql, values, " and l.merchant_id = :merchantId", wanted.merchantId);
    add(sql, values, " and l.endpoint = :endpoint", text(wanted.endpoint));
    add(sql, values, " and l.code <> '' and l.code = :code", text(wanted.code));
    if (wanted.requestId.length() < WHOLE_ID) {
      String start = text(escaped(wanted.requestId));
      add(sql, values, " and l.request_id like :requestId || '%'", start);
    } else {
      add(sql, values, " and l.request_id = :requestId", wanted.requestId);
    }
    add(sql, values, " and l.at <= :until", wanted.until);
    if (wanted.outcome != null) {
      sql.append(" and ").append(wanted.outcome.condition);
    }
    Sql complete = Sql.of(sql.append(order).toString());
    return database.read(
        connection -> {
          Sql.Call call = complete.on(connection);
          values.forEach(call::set);
          return named(connection, call.list(Logged::read));
        });
  }

  private static void add(
      StringBuilder sql, Map<String, Object> values, String condition, @Nullable Object value) {
    if (value != null) {
      sql.append(condition);
      values.put(condition.replaceFirst("(?s).*:(\\w+).*", "$1"), value);
    }
  }

  /** A row before the names of its caller are looked up. */
  private record Logged(Row row, int applicationId) {
    private static Logged read(ResultSet row) throws SQLException {
      return new Logged(
          new Row(
              row.getLong("id"),
              Rows.instant(row, "at"),
              row.getString("request_id"),
              row.getInt("merchant_id"),
              null,
              null,
              row.getString("endpoint"),
              row.getString("method"),
              row.getString("path"),
              row.getInt("status"),
              row.getString("code"),
              row.getLong("micros"),
              row.getString("address")),
          row.getInt("application_id"));
    }
  }

  private static List<Row> named(Connection connection, List<Logged> logged) throws SQLException {
    Map<Integer, String> merchants =
        CallerNames.merchants(connection, logged.stream().map(l -> l.row.merchantId).toList());
    Map<Integer, String> appids =
        CallerNames.appids(connection, logged.stream().map(Logged::applicationId).toList());
    return logged.stream()
        .map(l -> l.row.named(merchants.get(l.row.merchantId), appids.get(l.applicationId)))
        .toList();
  }

  private static @Nullable String text(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
  }

  /**
   * The call whose answer carried this id; null where the log has none. Should two have it, the
   * newer.
   *
   * @param merchantId whose calls are looked at; null for all
   */
  public @Nullable Whole find(@Nullable Integer merchantId, String requestId) throws SQLException {
    return database.read(
        connection ->
            FIND.on(connection)
                .set("requestId", requestId)
                .set("merchantId", merchantId)
                .<Whole>first(row -> whole(connection, row)));
  }

  private static Whole whole(Connection connection, ResultSet row) throws SQLException {
    List<Exchange.Header> headers = new ArrayList<>();
    row.getString("headers")
        .lines()
        .forEach(
            line -> {
              int colon = line.indexOf(": ");
              headers.add(
                  colon < 0
                      ? new Exchange.Header(line, "")
                      : new Exchange.Header(line.substring(0, colon), line.substring(colon + 2)));
            });
    return new Whole(
        named(connection, List.of(Logged.read(row))).getFirst(),
        headers,
        row.getBytes("body"),
        row.getInt("body_bytes"),
        row.getBytes("answer"),
        row.getInt("answer_bytes"));
  }
}
