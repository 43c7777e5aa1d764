package io.stockroom.protocol.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.protocol.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        curl -s 'http://localhost:8080/Stock/List?a=b' \\
          -H 'appid: app_1' -H "accesstoken: srt_\\"1" \\
          -d productid=1
        """,
        """
        $ curl.exe -sS -XPOST --url=http://localhost:8080/Stock/List?a=b ^
          -Happid:app_1 --header "accesstoken: srt_\\"1" ^
          --data-raw productid=1 -o answer.json
        """,
        """
        curl http://localhost:8080/Stock/List?a=b -H $'appid: app_1' -H 'accesstoken: srt_"1' \\
          --data-urlencode productid=1 --max-time 3 --compressed
        """,
        """
        POST /Stock/List?a=b HTTP/1.1
        appid: app_1
        accesstoken: srt_"1
        Content-Type: application/x-www-form-urlencoded

        productid=1
        """,
        """
        > POST /Stock/List?a=b HTTP/1.1
        > appid: app_1
        > accesstoken: srt_"1
        > Content-Type: application/x-www-form-urlencoded
        >
        productid=1
        """,
        """
        {"method":"POST","url":"http://localhost:8080/Stock/List?a=b",
         "headers":{"appid":"app_1","accesstoken":"srt_\\"1",
                    "Content-Type":"application/x-www-form-urlencoded"},
         "body":"productid=1"}
        """,
        """
        {"log":{"entries":[
          {"request":{"method":"GET","url":"http://localhost:8080/icon.svg","headers":[]}},
          {"request":{"method":"POST","url":"http://localhost:8080/Stock/List?a=b","headers":[
            {"name":"appid","value":"app_1"},{"name":"accesstoken","value":"srt_\\"1"},
            {"name":"Content-Type","value":"application/x-www-form-urlencoded"}],
            "postData":{"text":"productid=1"}}}]}}
        """
      })
  void readsTheSameRequestInEveryForm(String text) {
    CapturedRequest request = Capture.read(text);

    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.path()).isEqualTo("/Stock/List");
    assertThat(request.query()).isEqualTo("a=b");
    assertThat(request.value("APPID")).isEqualTo("app_1");
    assertThat(request.value("accesstoken")).isEqualTo("srt_\"1");
    assertThat(request.value("content-type")).isEqualTo("application/x-www-form-urlencoded");
    assertThat(request.body()).isEqualTo("productid=1");
  }

  @Test
  void appliesTheDefaultsOfCurl() {
    assertThat(Capture.read("curl localhost/Usage").method()).isEqualTo("GET");
    assertThat(Capture.read("curl localhost:8080/Usage -d ''").method()).isEqualTo("POST");
    assertThat(Capture.read("curl localhost/Usage --json '[]'").value("Content-Type"))
        .isEqualTo("application/json");
    assertThat(Capture.read("curl localhost/Usage -F a=b").value("Content-Type"))
        .isEqualTo("multipart/form-data");
    assertThat(Capture.read("curl -G localhost/Usage -d page=1").target())
        .isEqualTo("/Usage?page=1");
    assertThat(Capture.read("curl localhost/Usage -d a=1 -d b=2").body()).isEqualTo("a=1&b=2");
  }

  @Test
  void leavesABodyInAnotherFileUnknown() {
    assertThat(Capture.read("curl localhost/Stock/Creat -d @stock.json").body()).isNull();
    assertThat(Capture.read("curl localhost/Stock/Creat --data-raw @x").body()).isEqualTo("@x");
    assertThat(Capture.read("POST /Usage HTTP/1.1\nContent-Length: 11\n\n").body()).isNull();
    assertThat(Capture.read("POST /Usage HTTP/1.1\nContent-Length: 0\n\n").body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello there",
        "curl",
        "curl -H 'appid: 1",
        "curl -X POST",
        "{\"a\":1}",
        "[1]",
        "{broken",
        "POST /Usage HTTP/1.1\nno header at all\n\n",
      })
  void explainsWhyATextIsNotARequest(String text) {
    assertThatThrownBy(() -> Capture.read(text))
        .isInstanceOfSatisfying(
            UnreadableCapture.class,
            unreadable -> {
              assertThat(unreadable.text(Language.ENGLISH)).isNotBlank();
              assertThat(unreadable.text(Language.CHINESE)).containsPattern("[\\u4e00-\\u9fff]");
            });
  }

  @Test
  void rejectsCapturesThatAreTooLong() {
    assertThatThrownBy(() -> Capture.read("x".repeat(Capture.MAX_CHARACTERS + 1)))
        .hasMessageContaining("too long");
  }
}
