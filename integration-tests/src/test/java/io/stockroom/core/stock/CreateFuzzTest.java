package io.stockroom.core.stock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Json;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.server.fuzz.Mutations;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Randomly changed requests are accepted or rejected, and never cause a server error. */
class CreateFuzzTest {
  private static final int IN_PROCESS = 5_000;
  private static final int OVER_HTTP = 300;
  private static final long SEED = 20_260_101;

  @Test
  void neverThrows() {
    TestServer server = TestServer.shared();
    StockEntries entries = new StockEntries(Clock.systemUTC(), true);
    CreateStock create = new CreateStock(entries, new IdempotentReplies(server.cells()), false);
    Limits limits = Limits.of(Settings.with(Map.of()), Map.of());
    Call call = new Call(new Caller(1, 1, "app", 1, "", "127.0.0.1", limits), 0, Language.ENGLISH);
    Mutations mutations = new Mutations(SEED);
    int accepted = 0;
    for (int i = 0; i < IN_PROCESS; i++) {
      byte[] body = mutations.next(valid(7));
      try {
        create.read(call, RequestContent.of(RequestContent.JSON, "", body));
        accepted++;
      } catch (InvalidRequest invalid) {
        assertThat(Rejection.of(invalid).status()).isEqualTo(400);
        assertThat(Json.text(Rejection.of(invalid), Language.CHINESE)).contains("\"errors\":[{");
      } catch (RuntimeException accident) {
        throw new AssertionError(
            "seed " + SEED + ", request " + i + ": " + Arrays.toString(body), accident);
      }
    }
    assertThat(accepted).as("requests that stayed right").isBetween(10, IN_PROCESS / 2);
  }

  @Test
  void neverRespondsWith5xx() {
    TestMerchant merchant = TestMerchant.fresh();
    Api api = merchant.api();
    int pid = merchant.product();
    Mutations mutations = new Mutations(SEED);
    for (int i = 0; i < OVER_HTTP; i++) {
      byte[] body = mutations.next(valid(pid));
      Reply reply = api.call("/Stock/Creat").body("application/json", body).send();
      assertThat(reply.status())
          .as("seed %d, request %d: %s", SEED, i, reply.body())
          .isIn(200, 400);
      assertThat(reply.json().get("success").isBoolean()).isTrue();
    }
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  private static List<byte[]> valid(int pid) {
    String body =
        Stock.list(
            Stock.group(pid, "red", Stock.size("36-40", 5), Stock.size("41", 1, "690")),
            Stock.group(pid, "蓝", Stock.size("36", 0)));
    return List.of(body.getBytes(UTF_8));
  }
}
