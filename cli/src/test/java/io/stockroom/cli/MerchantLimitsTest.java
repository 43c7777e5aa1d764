package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MerchantLimitsTest {
  private static final String LIMITS =
      """
      [{"name":"limits.detail-per-day","value":"500","text":"500 per day","source":"override","meaning":"Most details a day."},\
      {"name":"limits.zone","value":"UTC","text":"UTC","source":"setting","meaning":"Where a day begins."}]\
      """;
  private static final String TABLE =
      """
      LIMIT                  VALUE        SOURCE    MEANING
      limits.detail-per-day  500 per day  override  Most details a day.
      limits.zone            UTC          setting   Where a day begins.
      """;

  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on(
        "GET",
        "/admin/merchants/7",
        200,
        """
        {"merchantId":7,"name":"义乌鞋业","storeUrl":"yiwu","storeName":"Yiwu Shoes","products":12,\
        "productsWithStock":3,"createdAt":"2026-01-02T03:04:05Z","limits":%s}
        """
            .formatted(LIMITS));
    server.on("PUT", "/admin/merchants/7/limits", 200, "{\"limits\":" + LIMITS + "}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void showsAMerchantWithItsLimits() {
    Program.Run run = Program.operating(server).run("merchant", "show", "7");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            merchant:      7
            name:          义乌鞋业
            store URL:     yiwu
            store name:    Yiwu Shoes
            status:        active
            products:      12
            with stock:    3
            created:       2026-01-02T03:04:05Z

            """
                + TABLE);
    assertThat(server.last().header("Authorization")).isEqualTo("Bearer the-key");
  }

  @Test
  void showsLimitsWithoutChangingThem() {
    Program.Run run = Program.operating(server).run("merchant", "limits", "7");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo(TABLE);
    assertThat(server.received())
        .extracting(AnsweringServer.Received::method)
        .containsExactly("GET");
  }

  @Test
  void jsonHasTheSameFormatForShowingAndSetting() {
    Program.Run shown = Program.operating(server).run("merchant", "limits", "7", "--json");
    Program.Run set =
        Program.operating(server).run("merchant", "limits", "7", "--unset=zone", "--json");

    assertThat(shown.out()).isEqualTo("{\"limits\":" + LIMITS + "}\n").isEqualTo(set.out());
  }

  @Test
  void setsAndUnsetsLimitsByFullAndShortNames() {
    Program.Run run =
        Program.operating(server)
            .run(
                "merchant",
                "limits",
                "7",
                "--set",
                "detail-per-day=500",
                "--set=limits.publish-share=2/3",
                "--unset",
                "zone",
                "--unset=limits.create-elements");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo(TABLE);
    assertThat(server.last().method()).isEqualTo("PUT");
    assertThat(server.last().header("Content-Type")).isEqualTo("application/json");
    assertThat(server.last().body())
        .isEqualTo(
            "{\"limits.detail-per-day\":\"500\",\"limits.publish-share\":\"2/3\","
                + "\"limits.zone\":null,\"limits.create-elements\":null}");
  }

  @Test
  void listsEveryLimitThatTheServerRejects() {
    server.on(
        "PUT",
        "/admin/merchants/7/limits",
        400,
        """
        {"success":false,"msg":"2 limits are bad","errors":[\
        {"at":"limits.detial-per-day","code":"X","msg":"no such limit"},\
        {"at":"limits.zone","code":"X","msg":"'Mars' is no time zone"}]}
        """);

    Program.Run run =
        Program.operating(server)
            .run("merchant", "limits", "7", "--set=detial-per-day=5", "--set=zone=Mars");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            """
            2 limits are bad
              limits.detial-per-day: no such limit
              limits.zone: 'Mars' is no time zone
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --set=detail-per-day               | --set 'detail-per-day' is not NAME=VALUE
          --set=detail-per-day=              | --unset NAME removes a limit
          --set==5                           | --set '=5' is not NAME=VALUE
          --unset=zone=UTC                   | --unset 'zone=UTC' is not the name of a limit
          --set=zone=UTC --unset=limits.zone | 'limits.zone' is given twice
          --set=zone=UTC --set=zone=UTC      | 'limits.zone' is given twice
          """)
  void rejectsContradictoryChanges(String arguments, String sentence) {
    Program.Run run = Program.operating(server).run(("merchant limits 7 " + arguments).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(sentence);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void reportsAMissingMerchant() {
    server.on(
        "GET",
        "/admin/merchants/8",
        404,
        "{\"success\":false,\"msg\":\"There is no merchant 8\",\"errors\":[]}");

    Program.Run run = Program.operating(server).run("merchant", "show", "8", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.json().path("msg").asString()).isEqualTo("There is no merchant 8");
    assertThat(run.err()).isEqualTo("There is no merchant 8\n");
  }
}
