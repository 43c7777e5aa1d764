package io.stockroom.server.people;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Slows down those who guess passwords, quarter hour by quarter hour. A guess is charged to the
 * address it comes from and to the person it is aimed at. A browser that the person has signed in
 * with before has an account of its own, so no stranger can make that person wait.
 */
final class SignInThrottle {
  private static final Duration WINDOW = Duration.ofMinutes(15);

  /** So many times as many failures a person may have from all unknown browsers together. */
  private static final int ADDRESSES_OF_ONE_PERSON = 10;

  private static final int MOST_COUNTED = 50_000;
  private static final int NETWORK_BYTES = 8;

  private final Clock clock;
  private final int most;
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private volatile long window;

  SignInThrottle(Clock clock, int most) {
    this.clock = clock;
    this.most = most;
  }

  /**
   * Charges an attempt before it is judged; gives the seconds to wait where there were too many
   * failures, else 0. {@link #refund} takes the charge back where the attempt succeeds.
   *
   * @param knownBrowser what tells this browser from others where the person has used it, or null
   */
  int charge(String email, String address, @Nullable String knownBrowser) {
    long second = clock.instant().getEpochSecond();
    long now = second / WINDOW.toSeconds();
    if (now != window || failures.size() >= MOST_COUNTED) {
      window = now;
      failures.clear();
    }
    boolean tooMany;
    if (knownBrowser != null) {
      tooMany = add("browser " + knownBrowser) > most;
    } else {
      int ofAddress = add("address " + network(address));
      // what an address is refused anyway must not count against the person
      tooMany = ofAddress > most || add("person " + email) > most * ADDRESSES_OF_ONE_PERSON;
    }
    return tooMany ? (int) (WINDOW.toSeconds() - second % WINDOW.toSeconds()) : 0;
  }

  void refund(String email, String address, @Nullable String knownBrowser) {
    if (knownBrowser != null) {
      subtract("browser " + knownBrowser);
    } else {
      subtract("address " + network(address));
      subtract("person " + email);
    }
  }

  private int add(String key) {
    return failures.merge(key, 1, Integer::sum);
  }

  private void subtract(String key) {
    failures.computeIfPresent(key, (_, count) -> count > 1 ? count - 1 : null);
  }

  /** Whoever has one IPv6 address has the 2^64 beside it. */
  private static String network(String address) {
    try {
      return InetAddress.ofLiteral(address) instanceof Inet6Address six
          ? HexFormat.of().formatHex(Arrays.copyOf(six.getAddress(), NETWORK_BYTES))
          : address;
    } catch (IllegalArgumentException notAnAddress) {
      return address;
    }
  }
}
