package io.stockroom.core.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;

/**
 * Counts failed authentications of each application and each address, minute by minute. It only
 * ever changes the answer to a failure: right credentials pass whatever a stranger does.
 */
public final class Throttle {
  private static final int MAX_COUNTED = 20_000;

  private final Clock clock;
  private final int mostPerMinute;
  private final Cache<String, Integer> failures =
      Caffeine.newBuilder().maximumSize(MAX_COUNTED).executor(Runnable::run).build();
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
    if (second / 60 != minute) {
      minute = second / 60;
      failures.invalidateAll();
    }
    return second;
  }

  private int count(String key) {
    return failures.asMap().merge(key, 1, Integer::sum);
  }

  private int secondsToWait(long second, int count) {
    return count > mostPerMinute ? (int) (60 - second % 60) : 0;
  }
}
