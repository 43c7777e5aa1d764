package io.stockroom.lab.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Compares each twin with what the server actually sends for one request. A stale twin measures
 * something else, so the run ends.
 */
final class TwinCheck {
  private static final int TRIES = 20;

  private final ServerUnderTest server;
  private final Requests requests;

  TwinCheck(ServerUnderTest server, Requests requests) {
    this.server = server;
    this.requests = requests;
  }

  /** Returns the differences by twin; empty if all twins are current. */
  List<String> differences() throws IOException, SQLException {
    List<String> differences = new ArrayList<>();
    List<Operation> single =
        Arrays.stream(Operation.values())
            .flatMap(operation -> operation.shares().stream())
            .map(Operation.Share::operation)
            .distinct()
            .toList();
    try (Connection connection = server.connect();
        StatementLog log = StatementLog.begin(connection, server.postgresLog());
        HttpConnection http = new HttpConnection(server.port())) {
      for (Operation operation : single) {
        List<String> expected = Script.read(requests.twin(operation)).expected();
        List<String> sent = List.of();
        for (int i = 0; i < TRIES && !sent.equals(expected); i++) {
          sent = sent(log, http, operation);
        }
        if (!sent.equals(expected)) {
          differences.add(explain(operation, expected, sent));
        }
      }
    }
    return differences;
  }

  private List<String> sent(StatementLog log, HttpConnection http, Operation operation)
      throws IOException {
    long before = log.size();
    if (!http.send(requests.make(operation, 1).getFirst())) {
      throw new BenchException(operation.title() + ": the server responded " + http.answer());
    }
    return log.since(before).stream().filter(TwinCheck::isOfARequest).toList();
  }

  /**
   * Credentials are cached and refreshed every second for all callers, so they are not part of a
   * request; only their statements name tokens. After a read, the server looks where the log ends,
   * to cache the answer. The cells are read every second; the heartbeat and the summaries for the
   * console follow requests on a busy machine; other housekeeping is rare, so another try misses
   * it.
   */
  private static boolean isOfARequest(String statement) {
    return !statement.contains("access_token")
        && !statement.contains("from cell")
        && !statement.contains("known_hash")
        && !statement.contains("product_summary")
        && !statement.contains("product_words")
        && !statement.equals("select 1");
  }

  private String explain(Operation operation, List<String> expected, List<String> sent) {
    StringBuilder text =
        new StringBuilder(
            "The twin of \"%s\" differs from what the server sends. Update %s.%n"
                .formatted(operation.title(), requests.twin(operation)));
    int most = Math.max(expected.size(), sent.size());
    for (int i = 0; i < most; i++) {
      String twin = i < expected.size() ? expected.get(i) : "(nothing)";
      String real = i < sent.size() ? sent.get(i) : "(nothing)";
      if (!twin.equals(real)) {
        text.append(
            "  statement %d%n    server: %s%n    twin:   %s%n".formatted(i + 1, real, twin));
      }
    }
    return text.toString();
  }
}
