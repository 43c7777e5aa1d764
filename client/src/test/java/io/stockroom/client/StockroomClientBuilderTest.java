package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.http.HttpClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StockroomClientBuilderTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:8080",
        "ftp://stock.example",
        "https://",
        "https://stock example",
        "https://stock.example?x=1",
        "https://stock.example#top",
        "https://user:password@stock.example",
        ""
      })
  void refusesWhatIsNoAddress(String address) {
    assertThatThrownBy(() -> StockroomClient.connect(address, "a", "s", "t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not the address of a server");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://stock.example", " http://[::1]:8080/ ", "HTTPS://stock.example/market/"})
  void takesAnAddressWithOrWithoutASlashAtItsEnd(String address) {
    StockroomClient.connect(address, "a", "s", "t").close();
  }

  @Test
  void refusesCredentialsThatNoHeaderCanCarry() {
    InvalidRequestException refused =
        catchThrowableOfType(
            InvalidRequestException.class,
            () -> StockroomClient.connect("http://localhost", "", "", "to ken"));
    assertThat(refused.faults())
        .extracting(Fault::toString)
        .containsExactly(
            "headers.appid: The header appid is missing or empty.",
            "headers.accesstoken: The header accesstoken is longer than 256 characters or has"
                + " characters that no such value has.",
            "secret: The text is empty.");
  }

  @Test
  void refusesATokenOfMoreThan256Characters() {
    StockroomClient.connect("http://localhost", "a", "s", "t".repeat(256)).close();
    assertThatThrownBy(() -> StockroomClient.connect("http://localhost", "a", "s", "t".repeat(257)))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    StockroomClientBuilder builder = StockroomClient.builder("http://localhost", "a", "s", "t");
    assertThatThrownBy(() -> builder.timeout(Duration.ZERO)).hasMessageContaining("timeout");
    assertThatThrownBy(() -> builder.retries(-1)).hasMessageContaining("retries");
    assertThatThrownBy(() -> builder.longestWait(Duration.ZERO)).hasMessageContaining("longest");
    assertThatThrownBy(() -> builder.createGroups(0)).hasMessageContaining("createGroups");
    assertThatThrownBy(() -> builder.createInterval(Duration.ofMillis(-1)))
        .hasMessageContaining("createInterval");
  }

  @Test
  void leavesAGivenHttpClientOpen() {
    HttpClient given = HttpClient.newHttpClient();
    try (ScriptedServer server = new ScriptedServer()) {
      StockroomClientBuilder builder =
          StockroomClient.builder(server.address(), "a", "s", "t").httpClient(given);
      builder.build().close();
      server.json(200, "{\"success\":true,\"data\":[],\"msg\":\"\"}");
      assertThat(builder.build().stock(1)).isEmpty();
    }
  }
}
