package io.stockroom.console.people;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a console request.
 *
 * @param browser the User-Agent header
 * @param mark the cookie this browser got at an earlier sign-in, or null
 */
public record Client(String address, String browser, @Nullable String mark) {
  private static final int NETWORK_BYTES = 8;

  /** A client with one IPv6 address usually controls its whole /64 network. */
  public String network() {
    return network(address);
  }

  static String network(String address) {
    try {
      return InetAddress.ofLiteral(address) instanceof Inet6Address six
          ? HexFormat.of().formatHex(Arrays.copyOf(six.getAddress(), NETWORK_BYTES))
          : address;
    } catch (IllegalArgumentException notAnAddress) {
      return address;
    }
  }
}
