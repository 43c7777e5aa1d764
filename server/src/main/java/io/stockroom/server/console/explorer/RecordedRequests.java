package io.stockroom.server.console.explorer;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Requests that were made before, to fill the explorer's form with. */
public interface RecordedRequests {
  /** What was sent. */
  record Recorded(String path, String query, String contentType, String body) {}

  /** The merchant's request of this id; null where there is none, or none any more. */
  @Nullable Recorded find(int merchantId, String id) throws SQLException;

  /** Remembers nothing. */
  static RecordedRequests none() {
    return (_, _) -> null;
  }
}
