package io.stockroom.core.audit;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
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

  /** Writes what was counted since the last time. */
  public void flush() throws SQLException {
    for (Key key : dueKeys()) {
      int count = takeCount(key);
      if (count > 0) {
        write(key, count);
      }
    }
    if (isOver()) {
      writeOthers();
    }
  }

  private synchronized List<Key> dueKeys() {
    return List.copyOf(counts.keySet());
  }

  private synchronized int takeCount(Key key) {
    Integer count = counts.remove(key);
    rows++;
    return count == null ? 0 : count;
  }

  private synchronized boolean isOver() {
    boolean over = now() != window;
    if (over) {
      window = now();
      rows = 0;
    }
    return over;
  }

  private void writeOthers() throws SQLException {
    Map<String, Integer> due;
    synchronized (this) {
      due = Map.copyOf(others);
      others.clear();
    }
    for (Map.Entry<String, Integer> other : due.entrySet()) {
      write(
          new Key(Audit.SERVER, "", other.getKey(), "", "more, from various addresses"),
          other.getValue());
    }
  }

  /** A transaction for each row, so that it holds one chain at a time. */
  private void write(Key key, int count) throws SQLException {
    audit.note(
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
