package io.stockroom.server.access;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts failed authentications of each application and each address, minute by minute. It only
 * ever changes the answer to a failure: right credentials pass whatever a stranger does.
 */
final class Throttle {
  private static final int MOST_COUNTED = 20_000;

  private final Clock clock;
  private final int mostPerMinute;
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private volatile long minute;

  Throttle(Clock clock, int mostPerMinute) {
    this.clock = clock;
    this.mostPerMinute = mostPerMinute;
  }

  /** Counts a failure; gives the seconds to wait where there were too many, else 0. */
  int failed(String appid, String address) {
    long second = clock.instant().getEpochSecond();
    if (second / 60 != minute || failures.size() >= MOST_COUNTED) {
      minute = second / 60;
      failures.clear();
    }
    int ofApplication = failures.merge("application " + appid, 1, Integer::sum);
    int ofAddress = failures.merge("address " + address, 1, Integer::sum);
    return Math.max(ofApplication, ofAddress) > mostPerMinute ? (int) (60 - second % 60) : 0;
  }
}
