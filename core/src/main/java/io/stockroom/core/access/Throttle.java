package io.stockroom.core.access;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts failed authentications of each application and each address, minute by minute. It only
 * ever changes the answer to a failure: right credentials pass whatever a stranger does.
 */
public final class Throttle {
  private static final int MAX_COUNTED = 20_000;

  private final Clock clock;
  private final int mostPerMinute;
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private volatile long minute;

  public Throttle(Clock clock, int mostPerMinute) {
    this.clock = clock;
    this.mostPerMinute = mostPerMinute;
  }

  /** Counts a failure of an address alone; returns what {@link #failed(String, String)} returns. */
  public int failed(String address) {
    return secondsToWait(beginMinute(), count("address " + address));
  }

  /** Counts a failure; returns the seconds to wait if there were too many, else 0. */
  int failed(String appid, String address) {
    long second = beginMinute();
    int ofApplication = count("application " + appid);
    return secondsToWait(second, Math.max(ofApplication, count("address " + address)));
  }

  private long beginMinute() {
    long second = clock.instant().getEpochSecond();
    if (second / 60 != minute || failures.size() >= MAX_COUNTED) {
      minute = second / 60;
      failures.clear();
    }
    return second;
  }

  private int count(String key) {
    return failures.merge(key, 1, Integer::sum);
  }

  private int secondsToWait(long second, int count) {
    return count > mostPerMinute ? (int) (60 - second % 60) : 0;
  }
}
