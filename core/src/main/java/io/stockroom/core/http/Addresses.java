package io.stockroom.core.http;

import io.stockroom.core.settings.Network;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client address of a request: that of the connection, or the one that a trusted proxy
 * forwards.
 */
public final class Addresses {
  private static final Logger log = LoggerFactory.getLogger(Addresses.class);

  /** Loopback, private, shared and link-local networks, where an operator's own proxy would be. */
  private static final List<Network> PRIVATE =
      Stream.of(
              "127.0.0.0/8",
              "10.0.0.0/8",
              "172.16.0.0/12",
              "192.168.0.0/16",
              "100.64.0.0/10",
              "169.254.0.0/16",
              "::1",
              "fc00::/7",
              "fe80::/10")
          .map(Network::parse)
          .toList();

  private final List<Network> trustedProxies;

  /** The first peer that looks like a proxy but is not trusted; null until there is one. */
  private volatile @Nullable String untrustedProxy;

  public Addresses(List<Network> trustedProxies) {
    this.trustedProxies = trustedProxies;
  }

  /**
   * A peer that sends X-Forwarded-For from a private address, but is not in {@code
   * trusted-proxies}; null if there is none. All clients behind such a proxy share its address.
   */
  public @Nullable String untrustedProxy() {
    return untrustedProxy;
  }

  public String of(HttpServletRequest request) {
    String peer = request.getRemoteAddr();
    notice(request);
    if (trustedProxies.isEmpty()) {
      return peer;
    }
    // some proxies add a second header after one that a client has sent
    List<String> forwarded = Collections.list(request.getHeaders("X-Forwarded-For"));
    String[] hops =
        forwarded.isEmpty() ? new String[0] : String.join(",", forwarded).split(",", -1);
    String caller = peer;
    for (int i = hops.length - 1; i >= 0 && isTrusted(caller); i--) {
      caller = hops[i].strip();
    }
    return caller.length() > 64 ? peer : caller;
  }

  /**
   * Detects a proxy that is not trusted. Any client on the internet may send the header, so only
   * private peers count.
   */
  public void notice(HttpServletRequest request) {
    if (untrustedProxy != null || request.getHeader("X-Forwarded-For") == null) {
      return;
    }
    String peer = request.getRemoteAddr();
    if (isTrusted(peer) || !isPrivate(peer)) {
      return;
    }
    untrustedProxy = peer;
    log.warn(
        "{} sends X-Forwarded-For but is not in trusted-proxies, so all clients behind it share its"
            + " address, and with it the limits of failed sign-ins. If it is your proxy, set"
            + " trusted-proxies={}",
        peer,
        peer);
  }

  static boolean isPrivate(String peer) {
    return PRIVATE.stream().anyMatch(network -> network.contains(peer));
  }

  private boolean isTrusted(String address) {
    return trustedProxies.stream().anyMatch(network -> network.contains(address));
  }
}
