package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PersonCommandsTest {
  private static final String PERSON =
      """
      {"email":"li@example.com","merchantId":7,"merchantName":"义乌鞋业","roles":["merchant","developer"],\
      "hasPassword":false,"hasSecondFactor":true,"createdAt":"2026-01-02T03:04:05Z","link":"/console/link/abc"}""";

  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void addsAPersonOfAMerchantAndPrintsTheWholeLink() {
    server.on("POST", "/admin/people", 201, PERSON);

    Program.Run run =
        Program.operating(server)
            .run("person", "add", "--email", "li@example.com", "--merchant", "7");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("link:          " + server.url() + "/console/link/abc\n")
        .contains("works once");
    assertThat(server.last().body()).isEqualTo("{\"email\":\"li@example.com\",\"merchantId\":7}");
  }

  @Test
  void printsTheServersOwnAddressIfItKnowsIt() {
    String whole = PERSON.replace("/console/link", "https://stock.example/console/link");
    server.on("POST", "/admin/people", 201, whole);

    Program.Run run =
        Program.operating(server)
            .run("person", "add", "--email", "li@example.com", "--merchant", "7", "--json");

    assertThat(run.json().path("link").asString())
        .isEqualTo("https://stock.example/console/link/abc");
  }

  @Test
  void addsAnOperatorAndARole() {
    server.on("POST", "/admin/people", 201, PERSON);

    Program.operating(server).run("person", "add", "--email", "o@example.com", "--operator");
    assertThat(server.last().body()).isEqualTo("{\"email\":\"o@example.com\",\"operator\":true}");
    Program.operating(server)
        .run("person", "add", "--email=d@example.com", "--merchant=7", "--role=developer");
    assertThat(server.last().body())
        .isEqualTo("{\"email\":\"d@example.com\",\"merchantId\":7,\"roles\":[\"developer\"]}");
  }

  @Test
  void requiresEitherAMerchantOrAnOperator() {
    for (String[] arguments :
        new String[][] {
          {"person", "add", "--email", "a@example.com"},
          {"person", "add", "--email", "a@example.com", "--operator", "--merchant", "1"}
        }) {
      Program.Run run = Program.operating(server).run(arguments);

      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains("either --merchant ID or --operator");
    }
  }

  @Test
  void listsPeople() {
    server.on("GET", "/admin/people", 200, "{\"people\":[" + PERSON + "]}");

    assertThat(Program.operating(server).run("person", "list").out())
        .isEqualTo(
            """
            E-MAIL          MERCHANT  NAME      ROLES               PASSWORD  TWO-STEP  CREATED
            li@example.com         7  义乌鞋业  merchant,developer  false     true      2026-01-02T03:04:05Z
            """);
  }

  @Test
  void printsTheFirstStepWithoutPeople() {
    server.on("GET", "/admin/people", 200, "{\"people\":[]}");

    assertThat(Program.operating(server).run("person", "list").out())
        .contains("stockroom person add");
  }

  @Test
  void printsANewLinkAsJsonWithTheFullUrl() {
    server.on("POST", "/admin/people/li@example.com/reset", 201, PERSON);

    Program.Run run = Program.operating(server).run("person", "reset", "li@example.com", "--json");

    assertThat(run.json().path("link").asString()).isEqualTo(server.url() + "/console/link/abc");
  }

  @Test
  void resetsASecondFactorAndReportsIfThereWasNone() {
    String path = "/admin/people/li@example.com/reset-second-factor";
    server.on("POST", path, 200, "{\"email\":\"li@example.com\",\"reset\":true}");
    assertThat(
            Program.operating(server).run("person", "reset-second-factor", "li@example.com").out())
        .contains("li@example.com")
        .contains("Two-step verification is off. All sessions have ended.");

    server.on("POST", path, 200, "{\"email\":\"li@example.com\",\"reset\":false}");
    assertThat(
            Program.operating(server).run("person", "reset-second-factor", "li@example.com").out())
        .contains("Nothing was changed");
  }

  @Test
  void removesAPerson() {
    server.on("DELETE", "/admin/people/li@example.com", 200, "{\"removed\":\"li@example.com\"}");

    assertThat(Program.operating(server).run("person", "remove", "li@example.com").out())
        .isEqualTo("removed:       li@example.com\n");
  }
}
