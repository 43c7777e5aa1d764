package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import org.junit.jupiter.api.Test;

class BarcodeTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @Test
  void rejectsABarcodeOnMoreThanOneSize() {
    Reply reply = api.create(coded("36-37", "A"));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("BARCODE_ON_RANGE");
    assertThat(reply.places()).containsExactly("[0].param[0].barCode");

    assertThat(api.create(coded("36-36", "A")).success()).isTrue();
  }

  @Test
  void rejectsABarcodeOfAnotherEntryAndNamesBoth() {
    int other = merchant.product();
    api.create(coded("36", "A"));

    Reply reply = api.create(Stock.list(Stock.group(other, "blue", Stock.size("41", 1, "A"))));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":false,"msg":"The barcode \\"A\\" of product %d, color \\"blue\\", size 41 is \
            already used by product %d, color \\"red\\", size 36."}"""
                .formatted(other, pid));
    assertThat(merchant.entries()).isEqualTo(1);
  }

  @Test
  void acceptsTheEntrysOwnBarcode() {
    api.create(coded("36", "A"));

    assertThat(api.create(coded("36", "A")).success()).isTrue();
  }

  @Test
  void rejectsTheSameBarcodeTwiceInOneRequest() {
    String both = Stock.group(pid, "red", Stock.size("36", 1, "A"), Stock.size("37", 1, "A"));

    assertThat(api.create(Stock.list(both)).msg()).contains("size 36", "size 37");
    assertThat(merchant.entries()).isZero();
  }

  @Test
  void letsABarcodeMoveWithinOneRequest() {
    api.create(coded("36", "A"));
    String moved = Stock.group(pid, "red", Stock.size("36", 1, "B"), Stock.size("37", 1, "A"));

    assertThat(api.create(Stock.list(moved)).success()).isTrue();
    assertThat(api.stock(pid).data("barCode")).containsExactly("B", "A");
  }

  @Test
  void rejectsABarcodeThatAnotherEntryKeeps() {
    api.create(coded("36", "A"));
    String kept = Stock.group(pid, "red", Stock.size("36", 1), Stock.size("37", 1, "A"));

    assertThat(api.create(Stock.list(kept)).success()).isFalse();
    assertThat(api.stock(pid).data("barCode")).containsExactly("A");
  }

  @Test
  void barcodesAreCaseSensitive() {
    api.create(coded("36", "a"));

    assertThat(api.create(coded("37", "A")).success()).isTrue();
  }

  @Test
  void isUniqueWithinAMerchantOnly() {
    TestMerchant other = TestMerchant.fresh();
    api.create(coded("36", "A"));

    String body = Stock.list(Stock.group(other.product(), "red", Stock.size("36", 1, "A")));
    assertThat(other.api().create(body).success()).isTrue();
  }

  @Test
  void mayBeSharedIfTheSettingAllowsIt() {
    api.create(coded("36", "A"));
    assertThat(api.create(coded("37", "A")).success()).isFalse();

    assertThat(api.on(TestServer.other()).create(coded("37", "A")).success()).isTrue();
    assertThat(api.stock(pid).data("barCode")).containsExactly("A", "A");
  }

  @Test
  void has64CharactersAtMostAndNoControlCharacters() {
    assertThat(api.create(coded("36", "1".repeat(65))).places())
        .containsExactly("[0].param[0].barCode");
    assertThat(api.create(coded("36", "1\\u0000")).codes()).containsExactly("TEXT_CHARACTERS");
    assertThat(
            api.create(
                    Stock.list(
                        Stock.group(pid, "red", "{\"size\":\"36\",\"stock\":1,\"barCode\":69}")))
                .codes())
        .containsExactly("FIELD_TYPE");

    assertThat(api.create(coded("36", " " + "1".repeat(64) + " ")).success()).isTrue();
    assertThat(api.stock(pid).data("barCode")).containsExactly("1".repeat(64));
  }

  private String coded(String size, String barCode) {
    return Stock.list(Stock.group(pid, "red", Stock.size(size, 1, barCode)));
  }
}
