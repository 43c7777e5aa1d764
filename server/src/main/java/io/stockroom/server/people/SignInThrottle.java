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
 * Slows down those who guess passwords and codes, quarter hour by quarter hour. A browser that the
 * person has signed in with before is counted by itself, so no stranger can make that person wait.
 * Other guesses count first for the person from that address; only then for the address as a whole,
 * since many people may share one behind a proxy, and for the person as a whole.
 */
public final class SignInThrottle {
  private static final Duration WINDOW = Duration.ofMinutes(15);

  /** So many times as many failures an address may have in all, and a person from all addresses. */
  private static final int IN_ALL = 10;

  private static final int MOST_COUNTED = 50_000;
  private static final int NETWORK_BYTES = 8;

  /** There were too many failures; the attempt was not judged. */
  public static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int waitSeconds;

    Exceeded(int waitSeconds) {
      super("too many failures", null, false, false);
      this.waitSeconds = waitSeconds;
    }

    public int waitSeconds() {
      return waitSeconds;
    }
  }

  private final Clock clock;
  private final int most;
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private volatile long window;

  public SignInThrottle(Clock clock, int most) {
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
    beginWindow();
    boolean tooMany;
    if (knownBrowser != null) {
      tooMany = add("browser " + knownBrowser) > most;
    } else {
      String network = network(address);
      // what is refused anyway must not count against anybody else
      tooMany =
          add("pair " + network + " " + email) > most
              || add("address " + network) > most * IN_ALL
              || add("person " + email) > most * IN_ALL;
    }
    return tooMany ? secondsLeft() : 0;
  }

  void refund(String email, String address, @Nullable String knownBrowser) {
    if (knownBrowser != null) {
      subtract("browser " + knownBrowser);
    } else {
      String network = network(address);
      subtract("pair " + network + " " + email);
      subtract("address " + network);
      subtract("person " + email);
    }
  }

  /**
   * Charges an attempt of somebody who has passed a first step: a code, or the present password
   * within a session. All unknown browsers of a person share one account, since codes are short;
   * only those who have passed the first step can use it up.
   */
  int chargeCode(int personId, @Nullable String knownBrowser) {
    beginWindow();
    return add(codeKey(personId, knownBrowser)) > most ? secondsLeft() : 0;
  }

  void refundCode(int personId, @Nullable String knownBrowser) {
    subtract(codeKey(personId, knownBrowser));
  }

  private static String codeKey(int personId, @Nullable String knownBrowser) {
    return knownBrowser == null ? "code " + personId : "code " + personId + " " + knownBrowser;
  }

  private void beginWindow() {
    long now = clock.instant().getEpochSecond() / WINDOW.toSeconds();
    if (now != window || failures.size() >= MOST_COUNTED) {
      window = now;
      failures.clear();
    }
  }

  private int secondsLeft() {
    long second = clock.instant().getEpochSecond();
    return (int) (WINDOW.toSeconds() - second % WINDOW.toSeconds());
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
