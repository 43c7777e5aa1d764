package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicAddressesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.169.254",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.1",
        "198.19.255.255",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:c0a8:101::1",
        "2002:a9fe:a9fe::",
        "3fff::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1"
      })
  void rejectsAddressesThatAreNotPublic(String address) {
    assertThat(PublicAddresses.isPublic(InetAddress.ofLiteral(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "64:ff9b::101:101",
        "2001:200::1",
        "2002:101:101::1",
        "2606:4700:4700::1111",
        "2a00:1450:4001::1"
      })
  void acceptsPublicAddresses(String address) {
    assertThat(PublicAddresses.isPublic(InetAddress.ofLiteral(address))).isTrue();
  }

  /** The JDK turns such an address into IPv4; another resolver may not. */
  @Test
  void looksInsideMappedAddresses() {
    HexFormat hex = HexFormat.of();
    assertThat(PublicAddresses.isPublic(hex.parseHex("00000000000000000000ffff7f000001")))
        .isFalse();
    assertThat(PublicAddresses.isPublic(hex.parseHex("00000000000000000000ffff01010101"))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "false, false, 127.0.0.1, false",
    "true, false, 127.0.0.1, true",
    "true, false, ::1, true",
    "true, false, 0.0.0.0, false",
    "true, false, 10.0.0.1, false",
    "false, true, 0.0.0.0, true"
  })
  void onlyTheSettingAndASandboxOfThisMachineAllowOthers(
      String sandbox, String setting, String address, boolean allowed) {
    Settings settings =
        Settings.with(
            Map.of("sandbox", sandbox, "webhooks.allow-private", setting, "address", address));

    assertThat(Webhooks.allowsPrivate(settings)).isEqualTo(allowed);
  }
}
