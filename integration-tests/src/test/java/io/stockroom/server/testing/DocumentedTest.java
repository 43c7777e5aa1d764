package io.stockroom.server.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check of the OpenAPI document, which every API test uses, finds violations. */
class DocumentedTest {
  private static final String CREATED = "{\"success\":true,\"msg\":\"\"}";

  @Test
  void acceptsDocumentedExchanges() {
    assertThatCode(() -> check("/Stock/Creat", good(), 200, CREATED)).doesNotThrowAnyException();
    assertThatCode(() -> check("/stock/creat", good(), 200, CREATED)).doesNotThrowAnyException();
  }

  @Test
  void reportsAnUndocumentedField() {
    assertThatThrownBy(
            () -> check("/Stock/Creat", good(), 200, "{\"success\":true,\"msg\":\"\",\"more\":1}"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("more");
  }

  @Test
  void reportsAMissingFieldAndAWrongType() {
    assertThatThrownBy(() -> check("/Stock/Creat", good(), 200, "{\"success\":true}"))
        .hasMessageContaining("msg");
    assertThatThrownBy(() -> check("/Stock/Creat", good(), 200, "{\"success\":1,\"msg\":\"\"}"))
        .hasMessageContaining("success");
  }

  @Test
  void reportsAnUndocumentedStatusAndPath() {
    assertThatThrownBy(() -> check("/Stock/Creat", good(), 202, CREATED))
        .hasMessageContaining("does not know this status");
    assertThatThrownBy(() -> check("/Stock/Other", good(), 200, CREATED))
        .hasMessageContaining("does not know this call");
  }

  @Test
  void reportsAnUndocumentedErrorCode() {
    String refused = "{\"success\":false,\"msg\":\"none\"}";
    Map<String, String> code = Map.of("x-request-id", "1", "x-error-code", "PRODUCT_MISSING");
    String usage =
        "{\"success\":true,\"msg\":\"\",\"data\":{\"limits\":[],\"unpublished\":"
            + "{\"page\":1,\"totalPages\":0,\"total\":0,\"data\":[]}}}";

    assertThatCode(
            () -> Documented.check(request("/Stock/Creat", good()), new Reply(200, code, refused)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Documented.check(request("/Usage", "{}"), new Reply(200, code, usage)))
        .hasMessageContaining("X-Error-Code");
  }

  @Test
  void acceptsAWrappedArray() {
    assertThatCode(() -> check("/Stock/Creat", "{\"list\":" + good() + "}", 200, CREATED))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check("/Stock/Creat", "{\"lists\":" + good() + "}", 200, CREATED))
        .hasMessageContaining("array");
  }

  @Test
  void reportsAnAcceptedUndocumentedRequest() {
    assertThatThrownBy(() -> check("/Stock/Creat", good().replace("\"36\"", "true"), 200, CREATED))
        .hasMessageContaining("size");
  }

  private static String good() {
    return Stock.one(1, "red", "36", 1);
  }

  private static void check(String path, String body, int status, String answer) {
    Documented.check(request(path, body), new Reply(status, Map.of("x-request-id", "1"), answer));
  }

  private static HttpRequest request(String path, String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:1" + path))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }
}
