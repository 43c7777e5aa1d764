package io.stockroom.core.admission;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {
  private static final String LINE = "POST /Stock/List HTTP/1.1\r\n";

  @Test
  void readsARequestThatIsThereAsAWhole() {
    isWhole(LINE + "Host: a\r\nContent-Length: 5\r\nsign: X\r\n\r\npid=1", "/Stock/List", "", "");
    isWhole("POST /usage?a=b HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "/usage", "", "");
    isWhole(LINE + "\r\n", "/Stock/List", "", "");
    isWhole(
        LINE + "accept-LANGUAGE:\tzh-CN \r\nconnection: Keep-Alive\r\n\r\n",
        "/Stock/List",
        "",
        "zh-CN");
    isWhole(LINE + "AccessToken: one \r\nother: b\r\n\r\n", "/Stock/List", "one", "");
  }

  private static void isWhole(String text, String path, String token, String language) {
    assertThat(read(text)).isEqualTo(new RequestHead(path, token, language, text.length()));
  }

  @Test
  void knowsHowLongARequestWillBe() {
    String head = LINE + "Content-Length: 6\r\n\r\n";

    assertThat(read(head)).extracting(RequestHead::length).isEqualTo(head.length() + 6);
    assertThat(read(head + "pid=1")).extracting(RequestHead::length).isEqualTo(head.length() + 6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "POST",
        "POST /Stock/List HTTP/1.1",
        "POST /Stock/List HTTP/1.1\r\n",
        "POST /Stock/List HTTP/1.1\r\nHost: a\r\n",
        "POST /Stock/List HTTP/1.0\r\n\r\n",
        "POST  HTTP/1.1\r\n\r\n",
        "POST HTTP/1.1\r\n\r\n",
        "GET /Stock/List HTTP/1.1\r\n\r\n",
        "POST /Stock/%4cist HTTP/1.1\r\n\r\n",
        "POST /Stock/List;a HTTP/1.1\r\n\r\n",
        "POST /Stock/ List HTTP/1.1\r\n\r\n",
        "POST /Stock/List HTTP/1.1\n\r\n"
      })
  void leavesOtherRequestLinesToTomcat(String bytes) {
    assertThat(read(bytes)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // more than the body
        "Content-Length: 4\r\n\r\npid=1",
        "\r\npid=1",
        // lengths that are none, or two
        "Content-Length: 5\r\nContent-Length: 5\r\n\r\npid=1",
        "Content-Length: +5\r\n\r\npid=1",
        "Content-Length: 0x5\r\n\r\npid=1",
        "Content-Length: 9999999999\r\n\r\npid=1",
        "Content-Length:\r\n\r\n",
        "Content-Length : 5\r\n\r\npid=1",
        // codings and wishes that take more than a glance
        "Transfer-Encoding: chunked\r\n\r\n",
        "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "Expect: 100-continue\r\n\r\n",
        "Upgrade: h2c\r\n\r\n",
        "Connection: close\r\n\r\n",
        // lines that are none
        "a: b\r\n folded\r\n\r\n",
        "a: b\nContent-Length: 0\r\n\r\n",
        "a: b\rContent-Length: 0\r\n\r\n",
        "a: \u0000\r\n\r\n",
        ": b\r\n\r\n",
        "nothing\r\n\r\n"
      })
  void leavesOtherHeadersToTomcat(String rest) {
    assertThat(read(LINE + rest)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "P",
        "POST /Stock/List HTTP/1.1",
        "POST /Stock/List HTTP/1.1\r",
        "POST /Stock/List HTTP/1.1\r\n",
        "GET /console HTTP/1.1\r\na:\tb\r\nc: d\r\n\r"
      })
  void waitsForTheRestOfAHeader(String bytes) {
    assertThat(isIncomplete(bytes)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\n",
        "POST /Stock/List HTTP/1.1\r\n\r\n",
        "POST /Stock/List HTTP/1.1\r\na: b\r\n\r\nbo",
        "POST /Stock/List HTTP/1.1\n",
        "POST /Stock/List HTTP/1.1\r\na: b\rc",
        "POST /Stock/List HTTP/1.1\r\na: \u0000",
        "POST /Stock/List HTTP/1.1\r\na: \u007f",
        "POST /Stock/List HTTP/1.1\r\na: \u00e4",
        // of HTTP/0.9, it is the whole request
        "GET /\r\n",
        "HTTP/1.1\r\n"
      })
  void doesNotWaitAfterAHeaderOrAMistake(String bytes) {
    assertThat(isIncomplete(bytes)).isFalse();
  }

  private static boolean isIncomplete(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    return RequestHead.isIncomplete(bytes, bytes.length);
  }

  private static @Nullable RequestHead read(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    return RequestHead.read(bytes, bytes.length);
  }
}
