package io.stockroom.core.http;

import io.stockroom.core.settings.Network;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client address of a request: that of the connection, or the one that a trusted proxy
 * forwards.
 */
public final class Addresses {
  private static final Logger log = LoggerFactory.getLogger(Addresses.class);
  private static final String FORWARDED = "X-Forwarded-For";

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
    return of(request.getRemoteAddr(), Collections.list(request.getHeaders(FORWARDED)));
  }

  /** The address of the client of a call. */
  String of(Request request) {
    return of(Request.getRemoteAddr(request), request.getHeaders().getValuesList(FORWARDED));
  }

  /** Some proxies add a second header after one that a client has sent. */
  private String of(String host, List<String> forwarded) {
    String peer = peer(host);
    notice(peer, !forwarded.isEmpty());
    String caller = peer;
    if (!trustedProxies.isEmpty() && !forwarded.isEmpty()) {
      String[] hops = String.join(",", forwarded).split(",", -1);
      for (int i = hops.length - 1; i >= 0 && isTrusted(caller); i--) {
        caller = hops[i].strip();
      }
    }
    return caller.length() > 64 ? peer : caller;
  }

  /** Jetty writes IPv6 addresses as in a URL. */
  private static String peer(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /**
   * Detects a proxy that is not trusted. Any client on the internet may send the header, so only
   * private peers count.
   */
  public void notice(HttpServletRequest request) {
    notice(peer(request.getRemoteAddr()), request.getHeader(FORWARDED) != null);
  }

  private void notice(String peer, boolean isForwarded) {
    if (!isForwarded || untrustedProxy != null || isTrusted(peer) || !isPrivate(peer)) {
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
