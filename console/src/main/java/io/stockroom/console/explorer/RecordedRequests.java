package io.stockroom.console.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.traffic.RequestLog;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Loads logged requests into the explorer's form. */
public final class RecordedRequests {
  /** The request as it was sent. */
  record Recorded(String path, String query, String contentType, String body) {}

  private final RequestLog log;

  public RecordedRequests(RequestLog log) {
    this.log = log;
  }

  /** The merchant's logged request with this id; null if it does not exist or has expired. */
  @Nullable Recorded find(int merchantId, String id) throws SQLException {
    RequestLog.Whole found = log.find(merchantId, id);
    if (found == null) {
      return null;
    }
    String path = found.row().path();
    int question = path.indexOf('?');
    byte[] body = found.body();
    return new Recorded(
        question < 0 ? path : path.substring(0, question),
        question < 0 ? "" : path.substring(question + 1),
        contentType(found),
        // a truncated body cannot be sent again
        body == null || found.isBodyCut() ? "" : new String(body, UTF_8));
  }

  private static String contentType(RequestLog.Whole found) {
    return found.headers().stream()
        .filter(header -> header.name().equalsIgnoreCase("Content-Type"))
        .map(Exchange.Header::value)
        .findFirst()
        .orElse("");
  }
}
