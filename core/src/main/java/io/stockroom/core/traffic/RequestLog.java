package io.stockroom.core.traffic;

import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the request log: newest first, or following new calls. */
public final class RequestLog {
  /** How a call ended. */
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

    /** The outcome with this name; null if there is none. */
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
   * A filter.
   *
   * @param merchantId null for all calls, including those of unknown merchants
   * @param endpoint empty for all
   * @param code an error code; empty for all
   * @param requestId the start of an id; empty for all
   * @param until only calls up to this time; null for all
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
   * One call.
   *
   * @param merchant the merchant's name; null if unknown
   * @param appid null if unknown
   * @param path as called, with the query string
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
   * One call with everything that is logged of it.
   *
   * @param headers one per line
   * @param body null if it was not read
   * @param bodyBytes the length before truncation
   * @param answerBytes the length before truncation
   */
  public record Whole(
      Row row,
      List<Exchange.Header> headers,
      byte @Nullable [] body,
      int bodyBytes,
      byte[] answer,
      int answerBytes) {
    private Whole named(Row named) {
      return new Whole(named, headers, body, bodyBytes, answer, answerBytes);
    }

    public boolean isBodyCut() {
      return bodyBytes > LoggedCall.MAX_BYTES;
    }

    public boolean isAnswerCut() {
      return answerBytes > LoggedCall.MAX_BYTES;
    }
  }

  /** The length of an id. A whole id is looked up in the index, a part of one in all rows. */
  private static final int WHOLE_ID = 16;

  private static final String ROW =
      """
      select l.id, l.at, l.request_id, l.merchant_id, l.application_id, l.endpoint, l.method,
        l.path, l.status, l.code, l.micros, l.address
      """;

  /** Each cell numbers its own calls; those of several cells are in the order of their times. */
  private static final String MERGED_KEY = "(extract(epoch from l.at) * 1000000)::bigint";

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

  private final Cells cells;

  public RequestLog(Cells cells) {
    this.cells = cells;
  }

  /** The newest calls with an id below {@code before}; 0 for the newest of all. */
  public List<Row> newest(Wanted wanted, long before, int most) throws SQLException {
    return rows(wanted, before == 0 ? "" : " and KEY < " + before, " order by KEY desc", most);
  }

  /** The calls after the one with this id, oldest first. */
  public List<Row> since(Wanted wanted, long after, int most) throws SQLException {
    return rows(wanted, " and KEY > " + after, " order by KEY", most);
  }

  private List<Row> rows(Wanted wanted, String bound, String order, int most) throws SQLException {
    boolean isMerged = wanted.merchantId == null && cells.all().size() > 1;
    String key = isMerged ? MERGED_KEY : "l.id";
    StringBuilder sql =
        new StringBuilder(ROW.replace("l.id", key + " as id") + "from request_log l where true")
            .append(bound.replace("KEY", key));
    Map<String, Object> values = new HashMap<>();
    add(sql, values, " and l.merchant_id = :merchantId", wanted.merchantId);
    if (isMerged) {
      sql.append(" and l.").append(AbsentMerchants.PRESENT);
    }
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
    Sql complete =
        Sql.of(sql.append(order.replace("KEY", key)).append(" limit " + most).toString());
    Database.Work<List<Logged>> work =
        connection -> {
          Sql.Call call = complete.on(connection);
          values.forEach(call::set);
          return call.list(Logged::read);
        };
    if (wanted.merchantId != null) {
      return named(cells.of(wanted.merchantId).read(work));
    }
    Comparator<Logged> byId = Comparator.comparingLong(logged -> logged.row.id);
    return named(
        cells.list(work).stream()
            .sorted(order.endsWith("desc") ? byId.reversed() : byId)
            .limit(most)
            .toList());
  }

  private static void add(
      StringBuilder sql, Map<String, Object> values, String condition, @Nullable Object value) {
    if (value != null) {
      sql.append(condition);
      values.put(condition.replaceFirst("(?s).*:(\\w+).*", "$1"), value);
    }
  }

  /** A row without the names of its caller, which are looked up later. */
  private record Logged(Row row, int applicationId) {
    private static Logged read(ResultSet row) throws SQLException {
      return new Logged(
          new Row(
              row.getLong("id"),
              Sql.instant(row, "at"),
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

  private List<Row> named(List<Logged> logged) throws SQLException {
    return cells
        .directory()
        .read(
            connection -> {
              Map<Integer, String> merchants =
                  CallerNames.merchants(
                      connection, logged.stream().map(l -> l.row.merchantId).toList());
              Map<Integer, String> appids =
                  CallerNames.appids(
                      connection, logged.stream().map(Logged::applicationId).toList());
              return logged.stream()
                  .map(
                      l ->
                          l.row.named(merchants.get(l.row.merchantId), appids.get(l.applicationId)))
                  .toList();
            });
  }

  private static @Nullable String text(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
  }

  /**
   * The newest call with this request id; null if the log has none.
   *
   * @param merchantId only calls of this merchant; null for all
   */
  public @Nullable Whole find(@Nullable Integer merchantId, String requestId) throws SQLException {
    Database.Work<List<Found>> work =
        connection ->
            FIND.on(connection)
                .set("requestId", requestId)
                .set("merchantId", merchantId)
                .list(RequestLog::found);
    List<Found> found = merchantId == null ? cells.list(work) : cells.of(merchantId).read(work);
    if (found.isEmpty()) {
      return null;
    }
    Found newest = Collections.max(found, Comparator.comparing(each -> each.logged.row.at));
    return newest.whole.named(named(List.of(newest.logged)).getFirst());
  }

  private record Found(Logged logged, Whole whole) {}

  private static Found found(ResultSet row) throws SQLException {
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
    Logged logged = Logged.read(row);
    return new Found(
        logged,
        new Whole(
            logged.row,
            headers,
            row.getBytes("body"),
            row.getInt("body_bytes"),
            row.getBytes("answer"),
            row.getInt("answer_bytes")));
  }
}
