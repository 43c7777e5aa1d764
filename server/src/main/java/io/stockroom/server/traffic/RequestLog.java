package io.stockroom.server.traffic;

import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request log as people read it: newest first, or followed as it grows. */
public final class RequestLog {
  /** How a call ended, as people ask for it. */
  public enum Outcome {
    SUCCEEDED("succeeded", "l.code = ''"),
    REFUSED("refused", "l.code <> '' and l.status < 500"),
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
    public Outcome outcome() {
      if (status >= 500) {
        return Outcome.FAILED;
      }
      return code.isEmpty() ? Outcome.SUCCEEDED : Outcome.REFUSED;
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
      return bodyBytes > Kept.MOST_BYTES;
    }

    public boolean isAnswerCut() {
      return answerBytes > Kept.MOST_BYTES;
    }
  }

  /** So long is an id; a whole one is found at once, a beginning among all of them. */
  private static final int WHOLE_ID = 16;

  private static final String ROW =
      """
      select l.id, l.at, l.request_id, l.merchant_id, m.name as merchant, a.appid, l.endpoint,
        l.method, l.path, l.status, l.code, l.micros, l.address
      """;

  private static final String FROM =
      """
      from request_log l
      left join merchant m on m.merchant_id = l.merchant_id
      left join application a on a.application_id = l.application_id
      """;

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
    StringBuilder sql = new StringBuilder(ROW).append(FROM).append("where true").append(bound);
    List<Object> values = new ArrayList<>();
    add(sql, values, " and l.merchant_id = ?", wanted.merchantId);
    add(sql, values, " and l.endpoint = ?", text(wanted.endpoint));
    add(sql, values, " and l.code <> '' and l.code = ?", text(wanted.code));
    if (wanted.requestId.length() < WHOLE_ID) {
      add(sql, values, " and l.request_id like ? || '%'", text(escaped(wanted.requestId)));
    } else {
      add(sql, values, " and l.request_id = ?", wanted.requestId);
    }
    add(
        sql,
        values,
        " and l.at <= ?",
        wanted.until == null ? null : TrafficTable.time(wanted.until));
    if (wanted.outcome != null) {
      sql.append(" and ").append(wanted.outcome.condition);
    }
    sql.append(order);
    return database.read(connection -> read(connection, sql.toString(), values));
  }

  private static List<Row> read(Connection connection, String sql, List<Object> values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.size(); i++) {
        statement.setObject(i + 1, values.get(i));
      }
      List<Row> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(row(row));
        }
      }
      return rows;
    }
  }

  private static void add(
      StringBuilder sql, List<Object> values, String condition, @Nullable Object value) {
    if (value != null) {
      sql.append(condition);
      values.add(value);
    }
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
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  ROW
                      + ", l.headers, l.body, l.body_bytes, l.answer, l.answer_bytes\n"
                      + FROM
                      + """
                      where l.request_id = ? and (?::int is null or l.merchant_id = ?::int)
                      order by l.id desc limit 1
                      """)) {
            statement.setString(1, requestId);
            statement.setObject(2, merchantId);
            statement.setObject(3, merchantId);
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? whole(row) : null;
            }
          }
        });
  }

  private static Whole whole(ResultSet row) throws SQLException {
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
        row(row),
        headers,
        row.getBytes("body"),
        row.getInt("body_bytes"),
        row.getBytes("answer"),
        row.getInt("answer_bytes"));
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        row.getLong("id"),
        row.getObject("at", OffsetDateTime.class).toInstant(),
        row.getString("request_id"),
        row.getInt("merchant_id"),
        row.getString("merchant"),
        row.getString("appid"),
        row.getString("endpoint"),
        row.getString("method"),
        row.getString("path"),
        row.getInt("status"),
        row.getString("code"),
        row.getLong("micros"),
        row.getString("address"));
  }
}
