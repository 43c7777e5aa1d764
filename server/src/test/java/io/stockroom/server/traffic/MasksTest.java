package io.stockroom.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MasksTest {
  private static final String TOKEN = "srt_7gnQIbF20OuLBLl0abcdefghijklmnopqrstuvwxyz12345";

  @Test
  void showsTheBeginningOfASignatureAndOfAToken() {
    assertThat(Masks.header("sign", "8E3D1DFB59A019F78965D0B48925735B")).isEqualTo("8E3D…");
    assertThat(Masks.header("AccessToken", TOKEN)).isEqualTo("srt_7gnQIbF2…");
    assertThat(Masks.header("accesstoken", "ETWuvOcUXDb7divk")).isEqualTo("ETWu…");
    assertThat(Masks.header("sign", "8E3D")).isEqualTo("…");
  }

  @Test
  void leavesWhatIsNoSecret() {
    assertThat(Masks.header("appid", "app_1cif7txrdifo7")).isEqualTo("app_1cif7txrdifo7");
    assertThat(Masks.header("timestamp", "1700000000")).isEqualTo("1700000000");
    assertThat(Masks.header("sign-method", "hmac-sha256")).isEqualTo("hmac-sha256");
    assertThat(Masks.text("page=1&stock=true&design=x")).isEqualTo("page=1&stock=true&design=x");
    assertThat(Masks.text("[{\"color\":\"red\",\"pid\":1}]"))
        .isEqualTo("[{\"color\":\"red\",\"pid\":1}]");
  }

  @Test
  void masksWhatSoundsLikeASecretWhereverItStands() {
    assertThat(Masks.header("Authorization", "Bearer abcdef")).isEqualTo("Bear…");
    assertThat(Masks.header("Cookie", "session=abcdef")).isEqualTo("sess…");
    assertThat(Masks.header("X-App-Secret", "abcdef")).isEqualTo("abcd…");
    assertThat(Masks.text("/Stock/List?sign=ABCDEFGH&productid=1&AccessToken=" + TOKEN))
        .isEqualTo("/Stock/List?sign=ABCD…&productid=1&AccessToken=srt_…");
    assertThat(Masks.text("{\"secret\": \"abcdefgh\", \"pid\": 1}"))
        .isEqualTo("{\"secret\": \"abcd…\", \"pid\": 1}");
    assertThat(Masks.text("see " + TOKEN + ".")).isEqualTo("see srt_7gnQIbF2….");
  }

  @Test
  void keepsAnAnswerFromRepeatingWhatTheHeadersHid() {
    List<Exchange.Header> headers = List.of(new Exchange.Header("sign", "the-secret-itself"));

    assertThat(Masks.answer("\"the-secret-itself\" is no signature", headers))
        .isEqualTo("\"the-…\" is no signature");
  }
}
