package io.stockroom.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class RequestRoutesTest {
  private final Admin admin = Admin.of(TestServer.shared());
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void listsTheNewestFirstAndFollowsInOrder() {
    Reply first = merchant.api().products("page=1");
    Reply second = merchant.api().products("page=x");
    Logged.await(merchant, second);

    List<JsonNode> newest = requests("");
    assertThat(newest)
        .extracting(call -> call.get("requestId").asString())
        .containsExactly(Logged.id(second), Logged.id(first));
    assertThat(newest.getFirst().get("outcome").asString()).isEqualTo("rejected");
    assertThat(newest.getFirst().get("code").asString()).isEqualTo("NUMBER_FORMAT");
    long last = newest.getFirst().get("id").asLong();
    assertThat(requests("&after=" + last)).isEmpty();

    Reply third = merchant.api().products("page=1");
    Logged.await(merchant, third);
    Logged.await(merchant, merchant.api().products("page=2"));
    assertThat(requests("&limit=1&after=" + last))
        .extracting(call -> call.get("requestId").asString())
        .containsExactly(Logged.id(third));
  }

  @Test
  void filtersByPathOutcomeAndCode() {
    merchant.api().products("page=x");
    Logged.await(merchant, merchant.api().call("/Usage").send());

    assertThat(requests("&endpoint=/Usage")).hasSize(1);
    assertThat(requests("&outcome=rejected")).hasSize(1);
    assertThat(requests("&outcome=succeeded")).hasSize(1);
    assertThat(requests("&outcome=NUMBER_FORMAT")).hasSize(1);
    assertThat(requests("&outcome=SIGN_FORMAT")).isEmpty();
  }

  @Test
  void rejectsInvalidOutcomesAndIds() {
    assertThat(admin.get("/admin/requests?outcome=bad").places()).containsExactly("outcome");
    assertThat(admin.get("/admin/requests?after=-1").places()).containsExactly("after");
    assertThat(admin.get("/admin/requests?merchant=x").places()).containsExactly("merchant");
    assertThat(admin.get("/admin/requests?after=0&limit=1").status()).isEqualTo(200);
    assertThat(admin.withKey("wrong").get("/admin/requests").status()).isEqualTo(401);
  }

  private List<JsonNode> requests(String filter) {
    Reply reply = admin.get("/admin/requests?merchant=" + merchant.id() + filter);
    assertThat(reply.status()).as(reply.whole()).isEqualTo(200);
    return reply.json().get("requests").valueStream().toList();
  }
}
