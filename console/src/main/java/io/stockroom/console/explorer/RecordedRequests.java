package io.stockroom.console.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.traffic.RequestLog;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Requests that were made before, to fill the explorer's form with. */
public final class RecordedRequests {
  /** What was sent. */
  record Recorded(String path, String query, String contentType, String body) {}

  private final RequestLog log;

  public RecordedRequests(RequestLog log) {
    this.log = log;
  }

  /** The merchant's request of this id; null where there is none, or none any more. */
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
        // half a body is no use to anybody
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
