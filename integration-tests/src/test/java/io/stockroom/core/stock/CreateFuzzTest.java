package io.stockroom.core.stock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.audit.Audit;
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
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Randomly changed requests are accepted or rejected, and never cause a server error. */
class CreateFuzzTest {
  private static final int IN_PROCESS = 5_000;
  private static final int OVER_HTTP = 300;
  private static final long SEED = 20_260_101;
  private static final String[] WORDS = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "\\uD800",
    "\\u0000",
    "null",
    "true",
    "1e9",
    "-",
    "0",
    "999",
    "1-100",
    "2147483648",
    ".5",
    "\"size\"",
    "\"stock\"",
    "\"barCode\"",
    "\"color\"",
    "\"pid\"",
    "\"param\"",
    "\"list\"",
    "\uFEFF",
    "\u0000",
    "\u00a0",
    "红",
    "👟",
    "//",
    "99999999999999999999",
    "NaN",
    "\n",
    "\t"
  };

  @Test
  void neverThrows() {
    TestServer server = TestServer.shared();
    StockEntries entries = new StockEntries(Clock.systemUTC(), true);
    CreateStock create =
        new CreateStock(
            entries, new IdempotentReplies(server.database()), new Audit(server.database()));
    Limits limits = Limits.of(Settings.with(Map.of()), Map.of());
    Call call = new Call(new Caller(1, 1, "app", 1, "", "127.0.0.1", limits), 0, Language.ENGLISH);
    Random random = new Random(SEED);
    int accepted = 0;
    for (int i = 0; i < IN_PROCESS; i++) {
      byte[] body = mutated(random, 1 + random.nextInt(9));
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
    Random random = new Random(SEED);
    for (int i = 0; i < OVER_HTTP; i++) {
      byte[] body = mutated(random, 1 + random.nextInt(5), pid);
      Reply reply = api.call("/Stock/Creat").body("application/json", body).send();
      assertThat(reply.status())
          .as("seed %d, request %d: %s", SEED, i, reply.body())
          .isIn(200, 400);
      assertThat(reply.json().get("success").isBoolean()).isTrue();
    }
    assertThat(merchant.wrongCounts()).isEmpty();
  }

  private static byte[] mutated(Random random, int times) {
    return mutated(random, times, 7);
  }

  private static byte[] mutated(Random random, int times, int pid) {
    byte[] body =
        Stock.list(
                Stock.group(pid, "red", Stock.size("36-40", 5), Stock.size("41", 1, "690")),
                Stock.group(pid, "蓝", Stock.size("36", 0)))
            .getBytes(UTF_8);
    for (int i = 0; i < times; i++) {
      body = mutatedOnce(random, body);
    }
    return body;
  }

  private static byte[] mutatedOnce(Random random, byte[] body) {
    if (body.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    int at = random.nextInt(body.length);
    int end = Math.min(body.length, at + 1 + random.nextInt(12));
    return switch (random.nextInt(6)) {
      case 0 -> changed(body, at, (byte) random.nextInt(256));
      case 1 -> changed(body, at, (byte) (32 + random.nextInt(95)));
      case 2 -> joined(body, at, end, new byte[0]);
      case 3 -> joined(body, at, at, Arrays.copyOfRange(body, at, end));
      case 4 -> joined(body, at, at, WORDS[random.nextInt(WORDS.length)].getBytes(UTF_8));
      default -> joined(body, at, end, WORDS[random.nextInt(WORDS.length)].getBytes(UTF_8));
    };
  }

  private static byte[] changed(byte[] body, int at, byte value) {
    byte[] changed = body.clone();
    changed[at] = value;
    return changed;
  }

  /** The body with the bytes from {@code start} to {@code end} replaced. */
  private static byte[] joined(byte[] body, int start, int end, byte[] middle) {
    byte[] joined = new byte[start + middle.length + body.length - end];
    System.arraycopy(body, 0, joined, 0, start);
    System.arraycopy(middle, 0, joined, start, middle.length);
    System.arraycopy(body, end, joined, start + middle.length, body.length - end);
    return joined;
  }
}
