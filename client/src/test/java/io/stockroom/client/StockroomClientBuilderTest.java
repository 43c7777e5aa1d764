package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StockroomClientBuilderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          localhost:8080                 | does not begin with http:// or https:// | http://localhost:8080.
          127.0.0.1                      | does not begin with http:// or https:// | http://127.0.0.1.
          stock.example                  | does not begin with http:// or https:// | https://stock.example.
          http:/stock.example            | does not begin with http:// or https:// | https://stock.example.
          ftp://stock.example            | begins with ftp://                      | https://stock.example.
          https:///path                  | names no host                           | https://stock.example.
          https://stock example          | characters that no address has          | https://stock.example.
          https://stock.example:0        | no possible port                        | http://localhost:8080.
          https://stock.example:70000    | no possible port                        | http://localhost:8080.
          https://stock.example?x=1      | more than an address                    | https://stock.example.
          https://stock.example/#top     | more than an address                    | https://stock.example/.
          https://stock.example/stock/list | the address of one call               | https://stock.example.
          http://h/market/Product/Detail/ | the address of one call                | http://h/market.
          ' '                            | is empty                                | https://stock.example.
          """)
  void rejectsAnInvalidUrlAndSaysHowToWriteIt(String address, String what, String right) {
    assertThatThrownBy(
            () ->
                StockroomClient.builder()
                    .address(address)
                    .credentials(Credentials.of("a", "s", "t"))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(what)
        .hasMessageEndingWith("Write the server's address alone, such as " + right);
  }

  @Test
  void keepsAPasswordInAUrlOutOfTheMessage() {
    assertThatThrownBy(
            () ->
                StockroomClient.builder()
                    .address("https://li:hush@stock.example")
                    .credentials(Credentials.of("a", "s", "t"))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("appid, secret and accesstoken")
        .hasMessageNotContaining("hush")
        .hasMessageNotContaining("li:");
  }

  @ParameterizedTest
  @CsvSource({
    "https://stock.example, https://stock.example",
    "' http://[::1]:8080/ ', http://[::1]:8080",
    "HTTPS://stock.example/market/, https://stock.example/market",
    "http://stock.example:65535, http://stock.example:65535"
  })
  void acceptsAUrlWithAndWithoutATrailingSlash(String address, URI called) {
    assertThat(ServerAddress.parse(address)).isEqualTo(called);
    StockroomClient.builder()
        .address(address)
        .credentials(Credentials.of("a", "s", "t"))
        .build()
        .close();
  }

  @Test
  void rejectsCredentialsThatAreInvalidInHeaders() {
    InvalidRequestException refused =
        catchThrowableOfType(
            InvalidRequestException.class,
            () ->
                StockroomClient.builder()
                    .address("http://localhost")
                    .credentials(Credentials.of("", "", "to ken"))
                    .build());
    assertThat(refused.problems())
        .extracting(Problem::toString)
        .containsExactly(
            "headers.appid: The header appid is missing or empty.",
            "headers.accesstoken: The header accesstoken is longer than 256 characters or has"
                + " invalid characters.",
            "secret: The text is empty.");
  }

  @Test
  void rejectsATokenOfMoreThan256Characters() {
    StockroomClient.builder()
        .address("http://localhost")
        .credentials(Credentials.of("a", "s", "t".repeat(256)))
        .build()
        .close();
    assertThatThrownBy(
            () ->
                StockroomClient.builder()
                    .address("http://localhost")
                    .credentials(Credentials.of("a", "s", "t".repeat(257)))
                    .build())
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void rejectsInvalidSettings() {
    StockroomClientBuilder builder =
        StockroomClient.builder()
            .address("http://localhost")
            .credentials(Credentials.of("a", "s", "t"));
    assertThatThrownBy(() -> builder.timeout(Duration.ZERO)).hasMessageContaining("timeout");
    assertThatThrownBy(() -> builder.retries(-1)).hasMessageContaining("retries");
    assertThatThrownBy(() -> builder.longestWait(Duration.ZERO)).hasMessageContaining("longest");
    builder.rateLimitBudget(Duration.ZERO);
    assertThatThrownBy(() -> builder.rateLimitBudget(Duration.ofMillis(-1)))
        .hasMessageContaining("rateLimitBudget");
    assertThatThrownBy(() -> builder.createGroups(0)).hasMessageContaining("createGroups");
    assertThatThrownBy(() -> builder.createInterval(Duration.ofMillis(-1)))
        .hasMessageContaining("createInterval");
  }

  @Test
  void leavesAGivenHttpClientOpen() {
    HttpClient given = HttpClient.newHttpClient();
    try (ScriptedServer server = new ScriptedServer()) {
      StockroomClientBuilder builder =
          StockroomClient.builder()
              .address(server.address())
              .credentials(Credentials.of("a", "s", "t"))
              .httpClient(given);
      builder.build().close();
      server.json(200, "{\"success\":true,\"data\":[],\"msg\":\"\"}");
      assertThat(builder.build().stock(1)).isEmpty();
    }
  }
}
