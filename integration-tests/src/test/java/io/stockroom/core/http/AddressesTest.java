package io.stockroom.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressesTest {
  private static final String WARNING = "but is not in trusted-proxies";

  @Test
  void healthPageNamesAnUntrustedProxy() {
    assertThat(health(TestServer.shared())).contains("127.0.0.1 sends X-Forwarded-For", WARNING);
  }

  @Test
  void doesNotWarnAboutATrustedProxy() {
    assertThat(health(Nodes.strict())).doesNotContain(WARNING);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "::1, true",
    "10.255.255.255, true",
    "172.31.0.1, true",
    "192.168.0.1, true",
    "100.64.0.1, true",
    "fd00::1, true",
    "11.0.0.1, false",
    "172.32.0.1, false",
    "100.128.0.1, false",
    "8.8.8.8, false",
    "2001:db8::1, false"
  })
  void treatsOnlyAPrivateAddressAsAProxy(String peer, boolean ours) {
    assertThat(Addresses.isPrivate(peer)).isEqualTo(ours);
  }

  /** The health page after a request through a proxy. */
  private static String health(TestServer server) {
    Pages pages = Pages.on(server).with("X-Forwarded-For", "192.0.2.5");
    pages.cookies().put("stockroom-session", TestPerson.operator().session());
    pages.get("/console/sign-in");
    return pages.get("/console/health").body();
  }
}
