package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Network;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The IP addresses that an application may call from. */
class AddressTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void allowsEveryAddressByDefault() {
    assertThat(api.products("page=1").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.0/8", "127.0.0.1", "0.0.0.0/0", "10.0.0.0/8\",\"127.0.0.1/32"})
  void acceptsAddressesInsideTheRange(String networks) {
    allow(networks);

    assertThat(api.products("page=1").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/8", "127.0.0.2", "::1", "::/0"})
  void rejectsAddressesOutsideTheRange(String networks) {
    allow(networks);

    Reply reply = api.products("page=1");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("ADDRESS_NOT_ALLOWED");
    assertThat(reply.msg()).contains("127.0.0.1", api.appid());
  }

  @Test
  void changesTakeEffectOnEveryNode() {
    Api elsewhere = api.on(Nodes.three().get(2));
    assertThat(elsewhere.products("page=1").status()).isEqualTo(200);

    allow("10.0.0.0/8");
    assertThat(
            Eventually.within(
                Duration.ofSeconds(6), () -> elsewhere.products("page=1").status() == 400))
        .isTrue();

    Admin.of(TestServer.shared())
        .send("PATCH", "/admin/applications/" + api.appid(), "{\"addresses\":[]}");
    assertThat(elsewhere.products("page=1").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.1.2.3 | 200",
        "11.1.2.3 | 400",
        "::1 | 200",
        "::2 | 400",
        // through our own proxy
        "10.1.2.3, 10.9.0.7 | 200",
        // an address that the client forged; the proxy appended the real one
        "10.1.2.3, 11.9.9.9 | 400",
        "10.1.2.3, nonsense | 400"
      })
  void usesTheAddressFromATrustedProxy(String forwarded, int status) {
    allow("10.0.0.0/8\",\"::1");

    Reply reply =
        api.on(Nodes.strict())
            .call("/Stock/Product")
            .form("page=1")
            .header("X-Forwarded-For", forwarded)
            .send();

    assertThat(reply.status()).isEqualTo(status);
  }

  @Test
  void usesTheLastForwardedHeaderOfATrustedProxy() {
    allow("10.0.0.0/8");
    String request =
        api.call("/Stock/Product")
            .query("page=1")
            .head(
                "X-Forwarded-For: 10.1.2.3",
                "X-Forwarded-For: 11.9.9.9",
                "Content-Length: 0",
                "Connection: close");

    assertThat(Http.rawReply(Nodes.strict(), request).codes())
        .containsExactly("ADDRESS_NOT_ALLOWED");
  }

  @Test
  void usesTheConnectionsAddressWithoutATrustedProxy() {
    allow("10.0.0.0/8");

    Reply reply =
        api.call("/Stock/Product").form("page=1").header("X-Forwarded-For", "10.1.2.3").send();

    assertThat(reply.codes()).containsExactly("ADDRESS_NOT_ALLOWED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/33", "localhost", "192.168.1/24", "::/129", "10.0.0.0/8/8", ""})
  void rejectsAnInvalidAddressRange(String network) {
    Reply reply =
        Admin.of(TestServer.shared())
            .send(
                "PATCH",
                "/admin/applications/" + api.appid(),
                "{\"addresses\":[\"" + network + "\"]}");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("addresses[0]");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/8, 9.255.255.255, false",
    "192.168.4.0/22, 192.168.7.255, true",
    "192.168.4.0/22, 192.168.8.0, false",
    "192.0.2.7, 192.0.2.7, true",
    "192.0.2.7, 192.0.2.6, false",
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false",
    "::1, 0:0:0:0:0:0:0:1, true",
    "0.0.0.0/0, ::1, false",
    "0.0.0.0/0, nonsense, false"
  })
  void matchesNetworks(String network, String address, boolean within) {
    assertThat(Network.parse(network).contains(address)).isEqualTo(within);
  }

  private void allow(String networks) {
    Reply reply =
        Admin.of(TestServer.shared())
            .send(
                "PATCH",
                "/admin/applications/" + api.appid(),
                "{\"addresses\":[\"" + networks + "\"]}");
    assertThat(reply.status()).isEqualTo(200);
  }
}
