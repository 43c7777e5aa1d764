package io.stockroom.core.traffic;

import io.stockroom.core.settings.Settings;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides which calls the request log keeps: so many a second, refusals before successes. The log
 * shows what goes on; it is no record of every call, and must never slow one down.
 */
final class LogSampler {
  private static final int MAX_REMEMBERED = 20_000;

  /** Successes a second of all callers together, however many there are. */
  private static final int MAX_SUCCESSES = 50;

  /** Of whom nobody is asked: everybody's successes. */
  private static final Key EVERYBODY = new Key(-1, 0, "");

  /** Successes are told apart by application and address; refusals of a merchant are one thing. */
  private record Key(int merchantId, int applicationId, String endpoint) {}

  private record Second(long second, int kept) {}

  private final Clock clock;
  private final boolean on;
  private final int mostSuccesses;
  private final int mostRefusals;
  private final ConcurrentHashMap<Key, Second> seconds = new ConcurrentHashMap<>();

  LogSampler(Clock clock, Settings settings) {
    this.clock = clock;
    this.on = settings.get(Settings.REQUEST_LOG_ROWS) > 0;
    this.mostSuccesses = settings.get(Settings.REQUEST_LOG_SUCCESSES);
    this.mostRefusals = settings.get(Settings.REQUEST_LOG_REFUSALS);
  }

  boolean isOn() {
    return on;
  }

  /** Says whether this call is to be kept, and counts it where it is. */
  boolean keeps(Exchange exchange) {
    if (!on) {
      return false;
    }
    boolean success = exchange.isSuccess();
    int most = success ? mostSuccesses : mostRefusals;
    Key key =
        success
            ? new Key(exchange.merchantId(), exchange.applicationId(), exchange.endpoint())
            : new Key(exchange.merchantId(), 0, "");
    long now = clock.millis() / 1000;
    if (success && isFull(EVERYBODY, now, MAX_SUCCESSES)) {
      return false;
    }
    return takes(key, now, most) && (!success || takes(EVERYBODY, now, MAX_SUCCESSES));
  }

  /** The busiest callers are mostly told so without a lock. */
  private boolean isFull(Key key, long now, int most) {
    Second known = seconds.get(key);
    return known != null && known.second == now && known.kept >= most;
  }

  private boolean takes(Key key, long now, int most) {
    if (isFull(key, now, most)) {
      return false;
    }
    if (seconds.size() >= MAX_REMEMBERED) {
      seconds.clear();
    }
    Second counted =
        seconds.merge(
            key,
            new Second(now, 1),
            (before, one) -> before.second == now ? new Second(now, before.kept + 1) : one);
    return counted.kept <= most;
  }
}
