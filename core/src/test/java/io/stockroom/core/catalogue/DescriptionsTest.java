package io.stockroom.core.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Warm & dry, 5 > 3, \"quoted\" = 'fine' @ home",
        "<p>Warm.</p>",
        "<p>尺码：36-44，“标准”（拍大一码）！👟𠮷</p>",
        "<h1>a</h1><h6>b</h6><ul><li>c</li></ul><ol><li>d</li></ol>",
        "<table><tbody><tr><td colspan=\"2\">x</td></tr></tbody></table>",
        "<p><b>a</b> <strong>b</strong> <i>c</i> <em>d</em></p>",
        "<img src=\"https://i.example/1.jpg\" alt=\"shoe\" />",
        "<img src=\"http://localhost:8080/pictures/1.jpg\" alt=\"\" />"
      })
  void keepsWhatIsAllowed(String html) {
    assertThat(Descriptions.clean(html).text()).isEqualTo(html);
    assertThat(Descriptions.clean(html).removed()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "<p>a</p><script>x()</script>, <p>a</p>, <script>",
    "<p onclick='x()'>a</p>, <p>a</p>, <p onclick>",
    "<p style='color:red'>a</p>, <p>a</p>, <p style>",
    "<iframe src='https://x.example'></iframe>b, b, <iframe>",
    "<img src='/1.jpg' alt='a'>, '<img alt=\"a\" />', <img src>",
    "<img src='///1.jpg' alt='a'>, '<img alt=\"a\" />', <img src>",
    "'<img src=\"data:image/gif;base64,R0lG\" alt=\"a\">', '<img alt=\"a\" />', <img src>",
    "<img src='ftp://i.example/1.jpg' alt='a'>, '<img alt=\"a\" />', <img src>",
    "<a href='javascript:x()'>a</a>, <a>a</a>, <a href>",
    "<svg onload='x()'>a</svg>, a, <svg>"
  })
  void takesOutWhatActsAndSaysSo(String html, String kept, String removed) {
    assertThat(Descriptions.clean(html).text()).isEqualTo(kept);
    assertThat(Descriptions.clean(html).removed()).containsExactly(removed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a href='https://x.example/?a=1&b=2'>link</a>",
        "<A HREF=\"http://x.example\" rel=\"nofollow\" title='t'>link</A>",
        "<p>open <b>never closed",
        "<p>a<br>b<hr>c &copy; &#20013; 中</p>",
        "<p style=x onclick=y>a<script>b</script></p>",
        "<img src=https://i.example/a.jpg width=100%>",
        "a < b and c > d <",
        "<p>{{x}} {<!-- -->{y}}</p>",
        "<p>full-width ＜script＞ stays encoded</p>"
      })
  void givesTheSameASecondTimeAndTakesNothingMoreOut(String html) {
    String once = Descriptions.clean(html).text();

    assertThat(Descriptions.clean(once).text()).isEqualTo(once);
    assertThat(Descriptions.clean(once).removed()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<a href='https://x.example'>a</a>", "<a href='http://x.example'>a</a>"})
  void marksLinks(String html) {
    assertThat(Descriptions.clean(html).text()).contains("rel=\"nofollow noopener\"");
    assertThat(Descriptions.clean(html).removed()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<img src='//i.example/1.jpg'>",
        "<img src=' //i.example/1.jpg '>",
        "<IMG SRC=https://i.example/1.jpg>"
      })
  void givesPicturesWithoutASchemeHttps(String html) {
    assertThat(Descriptions.clean(html).text())
        .isEqualTo("<img src=\"https://i.example/1.jpg\" />");
    assertThat(Descriptions.clean(html).removed()).isEmpty();
  }
}
