package io.stockroom.core.webhooks;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Tells public addresses from those that lead into a private network (server-side request forgery).
 * The ranges are those of the IANA registries of special-purpose addresses.
 */
final class PublicAddresses {
  private static final List<Range> NOT_PUBLIC_V4 =
      ranges(
          "0.0.0.0/8", // this network
          "10.0.0.0/8", // private
          "100.64.0.0/10", // carrier-grade NAT
          "127.0.0.0/8", // loopback
          "169.254.0.0/16", // link-local, and the metadata service of clouds
          "172.16.0.0/12", // private
          "192.0.0.0/24", // protocol assignments
          "192.0.2.0/24", // documentation
          "192.88.99.0/24", // 6to4 relay
          "192.168.0.0/16", // private
          "198.18.0.0/15", // benchmarks
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/3"); // multicast, reserved, broadcast

  /** Loopback, link-local, unique-local and multicast are all outside of it. */
  private static final Range GLOBAL_UNICAST = range("2000::/3");

  private static final List<Range> NOT_PUBLIC_V6 =
      ranges(
          "2001::/23", // Teredo and other protocol assignments
          "2001:db8::/32", // documentation
          "3fff::/20"); // documentation

  /** {@code ::ffff:0:0/96}; the parser would turn it into an IPv4 address. */
  private static final Range MAPPED =
      new Range(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0}, 96);

  private static final Range NAT64 = range("64:ff9b::/96");
  private static final Range SIX_TO_FOUR = range("2002::/16");

  private record Range(byte[] first, int bits) {
    private boolean contains(byte[] address) {
      if (address.length != first.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((first[bit / 8] & mask) != (address[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private PublicAddresses() {}

  private static List<Range> ranges(String... texts) {
    return Arrays.stream(texts).map(PublicAddresses::range).toList();
  }

  private static Range range(String text) {
    int slash = text.indexOf('/');
    return new Range(
        InetAddress.ofLiteral(text.substring(0, slash)).getAddress(),
        Integer.parseInt(text.substring(slash + 1)));
  }

  static boolean isPublic(InetAddress address) {
    return isPublic(address.getAddress());
  }

  static boolean isPublic(byte[] address) {
    if (address.length == 4) {
      return NOT_PUBLIC_V4.stream().noneMatch(range -> range.contains(address));
    }
    // these forms lead to the IPv4 address that they contain
    if (MAPPED.contains(address) || NAT64.contains(address)) {
      return isPublic(Arrays.copyOfRange(address, 12, 16));
    }
    if (SIX_TO_FOUR.contains(address)) {
      return isPublic(Arrays.copyOfRange(address, 2, 6));
    }
    return GLOBAL_UNICAST.contains(address)
        && NOT_PUBLIC_V6.stream().noneMatch(range -> range.contains(address));
  }
}
