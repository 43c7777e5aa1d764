package io.stockroom.server.http;

import io.stockroom.server.settings.Network;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;

/** Where a request really comes from: the connection, or what a trusted proxy says of it. */
public final class Addresses {
  private final List<Network> trustedProxies;

  public Addresses(List<Network> trustedProxies) {
    this.trustedProxies = trustedProxies;
  }

  public String of(HttpServletRequest request) {
    String peer = request.getRemoteAddr();
    if (trustedProxies.isEmpty()) {
      return peer;
    }
    // some proxies add a header of their own after the one a stranger may have sent
    List<String> forwarded = Collections.list(request.getHeaders("X-Forwarded-For"));
    String[] hops =
        forwarded.isEmpty() ? new String[0] : String.join(",", forwarded).split(",", -1);
    String caller = peer;
    for (int i = hops.length - 1; i >= 0 && isTrusted(caller); i--) {
      caller = hops[i].strip();
    }
    return caller.length() > 64 ? peer : caller;
  }

  private boolean isTrusted(String address) {
    return trustedProxies.stream().anyMatch(network -> network.contains(address));
  }
}
