package io.stockroom.core.audit;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failed sign-ins and wrong operator keys, for the audit log. They are counted in memory and
 * written now and then as sums, so a flood adds few rows, and nobody learns from the time of an
 * answer whether a row was written.
 */
public final class FailedAttempts implements AutoCloseable {
  public static final String SIGN_IN = "person.sign-in-failed";
  public static final String OPERATOR_KEY = "operator-key.wrong";

  /** Rows that one node adds in a quarter of an hour; the rest are summed up in one more each. */
  static final int MAX_ROWS = 60;

  private static final Logger log = LoggerFactory.getLogger(FailedAttempts.class);
  private static final Duration WINDOW = Duration.ofMinutes(15);

  private record Key(
      int merchantId, String address, String action, String subject, String details) {}

  private final Audit audit;
  private final Clock clock;
  private final Map<Key, Integer> counts = new LinkedHashMap<>();
  private final Map<String, Integer> others = new LinkedHashMap<>();
  private int rows;
  private long window;

  public FailedAttempts(Audit audit, Clock clock) {
    this.audit = audit;
    this.clock = clock;
    this.window = now();
  }

  /**
   * Counts one.
   *
   * @param merchantId whose chain it belongs to
   * @param subject what was tried: a known person, or a kind of key; never what was typed
   */
  public synchronized void note(
      int merchantId, String address, String action, String subject, String details) {
    Key key = new Key(merchantId, address, action, subject, details);
    if (counts.containsKey(key) || rows + counts.size() < MAX_ROWS) {
      counts.merge(key, 1, Integer::sum);
    } else {
      others.merge(action, 1, Integer::sum);
    }
  }

  /** Writes what was counted since the last time; what cannot be written stays counted. */
  public void flush() throws SQLException {
    for (Map.Entry<Key, Integer> due : copy(counts).entrySet()) {
      write(due.getKey(), due.getValue());
      subtract(counts, due);
      addRow();
    }
    if (isOver()) {
      writeOthers();
      beginWindow();
    }
  }

  private synchronized <K> Map<K, Integer> copy(Map<K, Integer> counted) {
    return new LinkedHashMap<>(counted);
  }

  private synchronized <K> void subtract(Map<K, Integer> counted, Map.Entry<K, Integer> written) {
    counted.computeIfPresent(
        written.getKey(),
        (_, count) -> count > written.getValue() ? (Integer) (count - written.getValue()) : null);
  }

  private synchronized void addRow() {
    rows++;
  }

  private synchronized boolean isOver() {
    return now() != window;
  }

  private synchronized void beginWindow() {
    window = now();
    rows = 0;
  }

  private void writeOthers() throws SQLException {
    for (Map.Entry<String, Integer> due : copy(others).entrySet()) {
      write(
          new Key(Audit.SERVER, "", due.getKey(), "", "more, from various addresses"),
          due.getValue());
      subtract(others, due);
    }
  }

  /** A transaction for each row, so that it holds one chain at a time. */
  private void write(Key key, int count) throws SQLException {
    audit.noteFromDirectory(
        key.merchantId,
        Actor.anonymous(key.address),
        key.action,
        key.subject,
        count == 1 ? key.details : "%s, %d times".formatted(key.details, count));
  }

  private long now() {
    return clock.instant().getEpochSecond() / WINDOW.toSeconds();
  }

  @Override
  public void close() {
    try {
      flush();
      writeOthers();
    } catch (SQLException | RuntimeException failure) {
      log.warn("failed attempts are missing in the audit log: {}", failure.getMessage());
    }
  }
}
