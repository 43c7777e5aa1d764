package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.protocol.request.WebhookReader;
import io.stockroom.protocol.request.WebhookReader.CreateWebhook;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookReaderTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://a.example",
        "HTTP://a.example/x?y=z",
        "https://a.example:80/",
        "https://a.example:443/",
        "https://a.example:1024/",
        "https://a.example:65535/",
        "https://xn--8dk.example/",
        "https://192.0.2.1/",
        "https://[2001:db8::1]:8443/"
      })
  void acceptsAbsoluteUrls(String url) throws InvalidRequest {
    CreateWebhook read = create("{\"url\":\"" + url + "\"}");

    assertThat(read.url()).hasToString(url);
    assertThat(read.kinds()).containsExactly("stock", "product");
  }

  @Test
  void readsEachKindOnce() throws InvalidRequest {
    String format = "{\"url\":\"https://a.example\",\"kinds\":%s}";

    assertThat(create(format.formatted("[\"product\",\"stock\"]")).kinds())
        .containsExactly("stock", "product");
    assertThat(create(format.formatted("[\"product\",\"product\"]")).kinds())
        .containsExactly("product");
    assertThat(create(format.formatted("null")).kinds()).hasSize(2);
  }

  @Test
  void reportsEveryProblemAtOnce() {
    InvalidRequest invalid =
        catchThrowableOfType(
            InvalidRequest.class,
            () -> create("{\"url\":\"ftp://a\",\"kinds\":[\"stock\",\"x\"]}"));

    assertThat(invalid.problems())
        .extracting(Problem::code)
        .containsExactly(ErrorCode.WEBHOOK_URL, ErrorCode.WEBHOOK_KIND);
    assertThat(invalid.problems().get(0).message(Language.CHINESE))
        .isEqualTo("“ftp://a”不能用作 Webhook 地址：必须以 https:// 或 http:// 开头。");
  }

  @Test
  void takesParametersFromTheQueryToo() throws InvalidRequest {
    RequestContent query = RequestContent.of(null, "id=wh_1&after=c_2", new byte[0]);

    assertThat(WebhookReader.replay(query))
        .isEqualTo(new WebhookReader.ReplayWebhook("wh_1", "c_2"));
    assertThat(WebhookReader.deliveries(query))
        .isEqualTo(new WebhookReader.DeliveryPage("wh_1", 1));
    assertThat(WebhookReader.list(query)).isTrue();
  }

  @Test
  void namesEveryMissingParameter() {
    InvalidRequest invalid =
        catchThrowableOfType(
            InvalidRequest.class,
            () -> WebhookReader.replay(RequestContent.of(null, null, new byte[0])));

    assertThat(invalid.problems()).extracting(Problem::at).isEqualTo(List.of("id", "after"));
  }

  private static CreateWebhook create(String json) throws InvalidRequest {
    return WebhookReader.create(
        RequestContent.of(RequestContent.JSON, null, json.getBytes(StandardCharsets.UTF_8)));
  }
}
