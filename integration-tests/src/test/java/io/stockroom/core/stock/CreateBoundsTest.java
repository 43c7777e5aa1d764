package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Creates just inside the limits; {@link CreateRefusalTest} has those just outside. */
class CreateBoundsTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @Test
  void accepts300ElementsAndRejects301() {
    Reply refused = api.create(Stock.colors(pid, 301));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.codes()).containsExactly("LIST_TOO_LONG");
    assertThat(refused.msg()).contains("301", "300");
    assertThat(merchant.entries()).isZero();

    assertThat(api.create(Stock.colors(pid, 300)).success()).isTrue();
    assertThat(merchant.entries()).isEqualTo(300);
  }

  @Test
  void accepts10000EntriesAndRejects10001() {
    Reply refused = api.create(Stock.entries(pid, 10_001));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.codes()).containsExactly("ENTRIES_TOO_MANY");
    assertThat(merchant.entries()).isZero();

    assertThat(api.create(Stock.entries(pid, 10_000)).success()).isTrue();
    assertThat(merchant.entries()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "999", "36-36", "1-100", "900-999"})
  void acceptsSizesWithinTheLimits(String size) {
    assertThat(api.create(Stock.one(pid, "red", size, 1)).success()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "2147483647"})
  void acceptsAQuantityWithinTheLimits(String stock) {
    assertThat(api.create(quantity(stock)).success()).isTrue();
    assertThat(api.stock(pid).data("stock")).containsExactly(stock);
  }

  @Test
  void normalizesColors() {
    api.create(Stock.one(pid, "  cafe\\u0301\\u3000 ", "36", 1));
    api.create(Stock.one(pid, "caf\u00e9", "37", 1));

    assertThat(api.stock(pid).data("color")).containsExactly("caf\u00e9", "caf\u00e9");
  }

  @Test
  void acceptsColorsOf64CharactersAndRejects65() {
    String emoji = "\uD83D\uDC5F";
    Reply refused = api.create(Stock.one(pid, "红".repeat(65), "36", 1));
    assertThat(refused.codes()).containsExactly("TEXT_TOO_LONG");
    assertThat(refused.msg()).contains("65", "64");
    assertThat(api.create(Stock.one(pid, emoji.repeat(65), "36", 1)).codes())
        .containsExactly("TEXT_TOO_LONG");

    assertThat(api.create(Stock.one(pid, "红".repeat(64), "36", 1)).success()).isTrue();
    assertThat(api.create(Stock.one(pid, " " + emoji.repeat(64), "36", 1)).success()).isTrue();
    assertThat(api.stock(pid).data("color")).containsExactly("红".repeat(64), emoji.repeat(64));
  }

  private String quantity(String stock) {
    return Stock.list(Stock.group(pid, "red", "{\"size\":\"36\",\"stock\":" + stock + "}"));
  }
}
