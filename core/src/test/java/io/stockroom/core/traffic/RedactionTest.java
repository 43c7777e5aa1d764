package io.stockroom.core.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.traffic.Traffic.Exchange;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedactionTest {
  private static final String TOKEN = "srt_7gnQIbF20OuLBLl0abcdefghijklmnopqrstuvwxyz12345";

  @Test
  void showsTheBeginningOfASignatureAndOfAToken() {
    assertThat(Redaction.header("sign", "8E3D1DFB59A019F78965D0B48925735B")).isEqualTo("8E3D…");
    assertThat(Redaction.header("AccessToken", TOKEN)).isEqualTo("srt_7gnQIbF2…");
    assertThat(Redaction.header("accesstoken", "ETWuvOcUXDb7divk")).isEqualTo("ETWu…");
    assertThat(Redaction.header("sign", "8E3D")).isEqualTo("…");
  }

  @Test
  void leavesWhatIsNoSecret() {
    assertThat(Redaction.header("appid", "app_1cif7txrdifo7")).isEqualTo("app_1cif7txrdifo7");
    assertThat(Redaction.header("timestamp", "1700000000")).isEqualTo("1700000000");
    assertThat(Redaction.header("sign-method", "hmac-sha256")).isEqualTo("hmac-sha256");
    assertThat(Redaction.text("page=1&stock=true&design=x"))
        .isEqualTo("page=1&stock=true&design=x");
    assertThat(Redaction.text("[{\"color\":\"red\",\"pid\":1}]"))
        .isEqualTo("[{\"color\":\"red\",\"pid\":1}]");
  }

  @Test
  void showsPublicHeadersOnlyInTheirDocumentedShape() {
    String secret = "Zk3v_9QmXr7tB1nY-c5LwE0hJ8uD2sFgPqRaTiOoNeM";
    String uuid = "0b8f7d2e-6c1a-4f3b-9e5d-7a2c4b6d8e0f";
    assertThat(secret).hasSize(43);

    for (String name : List.of("appid", "timestamp", "sign-method", "sign-nonce", "Sign-Nonce")) {
      assertThat(Redaction.header(name, secret)).as(name).isEqualTo("Zk3v…");
      assertThat(Redaction.header(name, TOKEN)).as(name).isEqualTo("srt_7gnQIbF2…");
    }
    assertThat(Redaction.header("appid", "app_1CIF7")).isEqualTo("app_…");
    assertThat(Redaction.header("appid", "app_" + "a".repeat(16))).endsWith("aaa");
    assertThat(Redaction.header("appid", "app_" + "a".repeat(17))).isEqualTo("app_…");
    assertThat(Redaction.header("timestamp", "1700000000123")).isEqualTo("1700000000123");
    assertThat(Redaction.header("timestamp", "1700000000x")).isEqualTo("1700…");
    assertThat(Redaction.header("sign-method", "HMAC-SHA256")).isEqualTo("HMAC-SHA256");
    assertThat(Redaction.header("sign-method", "hmac-sha512")).isEqualTo("hmac…");
    assertThat(Redaction.header("sign-nonce", uuid)).isEqualTo(uuid);
    assertThat(Redaction.header("sign-nonce", uuid + "0")).isEqualTo("0b8f…");
    assertThat(Redaction.header("sign-nonce", "n".repeat(31))).isEqualTo("n".repeat(31));
    assertThat(Redaction.header("sign-nonce", "n".repeat(32))).isEqualTo("nnnn…");
  }

  @Test
  void masksWhatSoundsLikeASecretWhereverItStands() {
    assertThat(Redaction.header("Authorization", "Bearer abcdef")).isEqualTo("Bear…");
    assertThat(Redaction.header("Cookie", "session=abcdef")).isEqualTo("sess…");
    assertThat(Redaction.header("X-App-Secret", "abcdef")).isEqualTo("abcd…");
    assertThat(Redaction.text("/Stock/List?sign=ABCDEFGH&productid=1&AccessToken=" + TOKEN))
        .isEqualTo("/Stock/List?sign=ABCD…&productid=1&AccessToken=srt_…");
    assertThat(Redaction.text("{\"secret\": \"abcdefgh\", \"pid\": 1}"))
        .isEqualTo("{\"secret\": \"abcd…\", \"pid\": 1}");
    assertThat(Redaction.text("see " + TOKEN + ".")).isEqualTo("see srt_7gnQIbF2….");
  }

  @Test
  void keepsAnAnswerFromRepeatingWhatTheHeadersHid() {
    List<Exchange.Header> headers = List.of(new Exchange.Header("sign", "the-secret-itself"));

    assertThat(Redaction.answer("\"the-secret-itself\" is no signature", headers))
        .isEqualTo("\"the-…\" is no signature");
  }
}
