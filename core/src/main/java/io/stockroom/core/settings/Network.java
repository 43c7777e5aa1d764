package io.stockroom.core.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** A range of addresses such as {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single one. */
public record Network(InetAddress address, int bits) {

  /** Parses a network; throws an {@link IllegalArgumentException} if it is not one. */
  public static Network parse(String text) {
    String[] halves = text.strip().split("/", -1);
    // all four numbers, since Java takes 192.168.1 for 192.168.0.1
    boolean literal = halves[0].matches("[0-9]+([.][0-9]+){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    if (!literal || halves.length > 2) {
      throw new IllegalArgumentException("not an address or network: " + text);
    }
    InetAddress address;
    try {
      address = InetAddress.getByName(halves[0]);
    } catch (UnknownHostException notAnAddress) {
      throw new IllegalArgumentException("not an address: " + text, notAnAddress);
    }
    int most = address.getAddress().length * 8;
    int bits = halves.length == 1 ? most : Integer.parseInt(halves[1]);
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException("not from /0 to /" + most + ": " + text);
    }
    return new Network(address, bits);
  }

  static List<Network> parseAll(String text) {
    return text.isBlank()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(Network::parse).toList();
  }

  /** Whether {@code literal}, the address of a connection, is in this network. */
  public boolean contains(String literal) {
    byte[] other;
    try {
      other = InetAddress.ofLiteral(literal).getAddress();
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
    byte[] own = address.getAddress();
    if (own.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit % 8);
      if ((own[bit / 8] & mask) != (other[bit / 8] & mask)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return address.getHostAddress() + "/" + bits;
  }
}
