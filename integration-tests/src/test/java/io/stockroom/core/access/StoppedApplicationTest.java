package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Disabling an application takes effect on every node for all its calls; enabling restores them.
 */
class StoppedApplicationTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final String address = "/admin/applications/" + api.appid();

  @Test
  void isRejectedOnEveryNodeAndWorksAgainWhenResumed() {
    List<Api> nodes = Nodes.three().stream().map(api::on).toList();
    nodes.forEach(node -> assertThat(node.products("page=1").status()).isEqualTo(200));

    Reply stopped = set(TestServer.shared(), true);

    assertThat(stopped.status()).isEqualTo(200);
    assertThat(stopped.json().get("stoppedAt").isNull()).isFalse();
    // one second, and some more for a busy machine
    assertThat(Eventually.within(Duration.ofSeconds(6), () -> all(nodes, "APPLICATION_STOPPED")))
        .isTrue();
    assertThat(api.products("page=1").status()).isEqualTo(400);

    assertThat(set(TestServer.other(), false).json().get("stoppedAt").isNull()).isTrue();

    assertThat(
            Eventually.within(
                Duration.ofSeconds(20),
                () -> nodes.stream().allMatch(node -> node.products("page=1").status() == 200)))
        .isTrue();
  }

  @Test
  void getsNoTokenWhileStopped() {
    String body = "{\"appid\":\"%s\",\"merchantId\":%d}".formatted(api.appid(), merchant.id());
    set(TestServer.shared(), true);

    for (TestServer node : List.of(TestServer.shared(), TestServer.other())) {
      Reply refused = Admin.of(node).post("/admin/tokens", body);
      assertThat(refused.codes()).containsExactly("APPLICATION_STOPPED");
      assertThat(refused.places()).containsExactly("appid");
    }

    set(TestServer.shared(), false);
    assertThat(Admin.of(TestServer.other()).post("/admin/tokens", body).status()).isEqualTo(201);
  }

  /** A caller without a valid token learns nothing about it. */
  @Test
  void isIndistinguishableToAnUnauthenticatedCaller() {
    set(TestServer.shared(), true);

    assertThat(api.withSecret("wrong").products("page=1").codes())
        .containsExactly("CREDENTIALS_WRONG");
    assertThat(api.withToken("srt_wrong").products("page=1").codes())
        .containsExactly("CREDENTIALS_WRONG");
  }

  @Test
  void rejectsAnInvalidValueForStopped() {
    Reply refused = Admin.of(TestServer.shared()).send("PATCH", address, "{\"stopped\":\"yes\"}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.places()).containsExactly("stopped");
    assertThat(Admin.of(TestServer.shared()).get(address).json().get("stoppedAt").isNull())
        .isTrue();
  }

  private static boolean all(List<Api> nodes, String code) {
    return nodes.stream().allMatch(node -> node.products("page=1").codes().contains(code));
  }

  private Reply set(TestServer node, boolean stopped) {
    return Admin.of(node).send("PATCH", address, "{\"stopped\":" + stopped + "}");
  }
}
