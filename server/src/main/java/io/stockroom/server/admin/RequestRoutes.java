package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.call.Answer;
import io.stockroom.core.traffic.RequestLog;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The request log: the newest calls, or the calls after a given one. */
public final class RequestRoutes {
  private static final int DEFAULT_ROWS = 50;
  private static final int MAX_ROWS = 500;
  private static final Pattern CODE = Pattern.compile("[A-Z][A-Z_]*");

  private final RequestLog log;

  public RequestRoutes(RequestLog log) {
    this.log = log;
  }

  Answer list(AdminRequest request) throws SQLException {
    String merchant = request.query("merchant");
    String outcome = text(request.query("outcome"));
    String after = request.query("after");
    Integer merchantId = merchant == null ? null : merchantId(request, merchant);
    RequestLog.Outcome known = RequestLog.Outcome.of(outcome);
    if (known == null && !outcome.isEmpty() && !CODE.matcher(outcome).matches()) {
      request
          .problems()
          .add(
              "outcome",
              ErrorCode.TEXT_FORMAT,
              outcome,
              "write succeeded, rejected, failed, or an error code such as SIGN_FORMAT");
    }
    long from = after == null ? 0 : number(request, "after", after);
    int limit = limit(request);
    if (request.problems().any()) {
      return request.rejection();
    }
    RequestLog.Wanted wanted =
        new RequestLog.Wanted(
            merchantId,
            text(request.query("endpoint")),
            known,
            known == null ? outcome : "",
            text(request.query("request")),
            null);
    List<RequestLog.Row> rows =
        after == null ? log.newest(wanted, 0, limit) : log.since(wanted, from, limit);
    List<Map<String, @Nullable Object>> shown = new ArrayList<>();
    rows.forEach(row -> shown.add(shown(row)));
    return AdminResponse.ok(fields("requests", shown));
  }

  private static Map<String, @Nullable Object> shown(RequestLog.Row row) {
    return fields(
        "id", row.id(),
        "at", row.at(),
        "requestId", row.requestId(),
        "merchantId", row.merchantId() == 0 ? null : row.merchantId(),
        "appid", row.appid(),
        "endpoint", row.endpoint(),
        "method", row.method(),
        "path", row.path(),
        "status", row.status(),
        "outcome", row.outcome().word(),
        "code", row.code().isEmpty() ? null : row.code(),
        "micros", row.micros(),
        "address", row.address());
  }

  /** Merchant 0 means calls that could not be attributed to a merchant. */
  private static int merchantId(AdminRequest request, String text) {
    return text.equals("0") ? 0 : request.problems().positive("merchant", text);
  }

  private static int limit(AdminRequest request) {
    String limit = request.query("limit");
    return limit == null
        ? DEFAULT_ROWS
        : Math.min(MAX_ROWS, request.problems().positive("limit", limit));
  }

  /** An id has more digits than numbers of the interface may have. */
  private static long number(AdminRequest request, String name, String text) {
    if (text.matches("[0-9]{1,18}")) {
      return Long.parseLong(text);
    }
    request.problems().add(name, ErrorCode.TEXT_FORMAT, text, "write the id of a call");
    return 0;
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
