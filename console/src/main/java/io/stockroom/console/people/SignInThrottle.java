package io.stockroom.console.people;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits the rate of wrong passwords and codes. Counts reset every 15 minutes. A browser that the
 * person has signed in with before has its own count, so strangers cannot lock that person out.
 * Other attempts count for the person and address together, for the address, and for the person. An
 * address may fail more often than a person, because many people may share one behind a proxy.
 *
 * <p>Memory is bounded: each kind of count evicts its least recently used entry when it is full. An
 * address over its limit adds no entries, so one client cannot evict the counts of others.
 */
public final class SignInThrottle {
  private static final Duration WINDOW = Duration.ofMinutes(15);

  /**
   * The limit of an address, or of a person across all addresses, is this multiple of the basic
   * one.
   */
  private static final int TOTAL_FACTOR = 10;

  static final int MAX_ENTRIES = 50_000;

  /** Too many failures; the attempt was not checked. */
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

  /** Failures by key, with LRU eviction. */
  private static final class Counts {
    private final LinkedHashMap<String, Integer> failures = new LinkedHashMap<>(16, 0.75f, true);

    int get(String key) {
      return failures.getOrDefault(key, 0);
    }

    int add(String key) {
      int count = failures.merge(key, 1, Integer::sum);
      if (failures.size() > MAX_ENTRIES) {
        failures.pollFirstEntry();
      }
      return count;
    }

    void subtract(String key) {
      failures.computeIfPresent(key, (_, count) -> count > 1 ? count - 1 : null);
    }

    void clear() {
      failures.clear();
    }
  }

  private final Clock clock;
  private final int max;
  private final Counts browsers = new Counts();
  private final Counts pairs = new Counts();
  private final Counts addresses = new Counts();
  private final Counts people = new Counts();
  private final Counts codes = new Counts();
  private long window;

  public SignInThrottle(Clock clock, int max) {
    this.clock = clock;
    this.max = max;
  }

  /**
   * Counts an attempt before it is checked; returns the seconds to wait after too many failures,
   * else 0. {@link #refund} reverts this if the attempt succeeds.
   *
   * @param knownBrowser the cookie of a browser that the person has used before, or null
   */
  synchronized int charge(String email, String address, @Nullable String knownBrowser) {
    beginWindow();
    if (knownBrowser != null) {
      return browsers.add(knownBrowser) > max ? secondsLeft() : 0;
    }
    String network = Client.network(address);
    // an attempt rejected by one count must not increase the next
    boolean tooMany =
        addresses.get(network) >= max * TOTAL_FACTOR
            || pairs.add(pair(network, email)) > max
            || addresses.add(network) > max * TOTAL_FACTOR
            || people.add(email) > max * TOTAL_FACTOR;
    return tooMany ? secondsLeft() : 0;
  }

  synchronized void refund(String email, String address, @Nullable String knownBrowser) {
    if (knownBrowser != null) {
      browsers.subtract(knownBrowser);
      return;
    }
    String network = Client.network(address);
    pairs.subtract(pair(network, email));
    addresses.subtract(network);
    people.subtract(email);
  }

  /**
   * Counts an attempt after the first step: a code, or the current password in a session. All
   * unknown browsers of a person share one count, because codes are short; only someone who passed
   * the first step can use it up.
   */
  synchronized int chargeCode(int personId, @Nullable String knownBrowser) {
    beginWindow();
    return codes.add(codeKey(personId, knownBrowser)) > max ? secondsLeft() : 0;
  }

  synchronized void refundCode(int personId, @Nullable String knownBrowser) {
    codes.subtract(codeKey(personId, knownBrowser));
  }

  private static String codeKey(int personId, @Nullable String knownBrowser) {
    return knownBrowser == null ? "" + personId : personId + " " + knownBrowser;
  }

  private static String pair(String network, String email) {
    return network + " " + email;
  }

  private void beginWindow() {
    long now = clock.instant().getEpochSecond() / WINDOW.toSeconds();
    if (now != window) {
      window = now;
      List.of(browsers, pairs, addresses, people, codes).forEach(Counts::clear);
    }
  }

  private int secondsLeft() {
    long second = clock.instant().getEpochSecond();
    return (int) (WINDOW.toSeconds() - second % WINDOW.toSeconds());
  }
}
