package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One-time links. */
class LinksTest {
  private static final String PASSWORD = "three words in a row";

  @Test
  void aLinkLetsItsPersonChooseAPasswordOnce() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    Pages pages = Pages.stranger();

    assertThat(pages.get(person.link()).body()).contains("Choose a password", person.email());
    assertThat(pages.get(person.link()).statusCode()).as("looking does not use it").isEqualTo(200);
    assertThat(choose(pages, person).statusCode()).isEqualTo(302);

    assertThat(pages.get("/console/account").body()).contains(person.email());
    assertThat(Pages.stranger().get(person.link()).statusCode()).isEqualTo(410);
    HttpResponse<String> again = choose(Pages.stranger(), person);
    assertThat(again.statusCode()).isEqualTo(410);
    assertThat(again.body()).contains("This link no longer works");
  }

  @Test
  void aWeakPasswordLeavesTheLinkUnused() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());

    HttpResponse<String> weak = Pages.stranger().post(person.link(), "password", "too short");

    assertThat(weak.statusCode()).isEqualTo(422);
    assertThat(weak.body()).contains("This password is too short. Use at least 12 characters.");
    assertThat(choose(Pages.stranger(), person).statusCode()).isEqualTo(302);
  }

  @Test
  void aLinkEndsAfterThreeDays() {
    TestPerson inside = TestPerson.of(TestMerchant.fresh());
    TestPerson outside = TestPerson.of(TestMerchant.fresh());

    inside.ageLink("2 days 23 hours 59 minutes");
    outside.ageLink("3 days");

    assertThat(Pages.stranger().get(inside.link()).statusCode()).isEqualTo(200);
    assertThat(Pages.stranger().get(outside.link()).statusCode()).isEqualTo(410);
  }

  @Test
  void aNewLinkReplacesTheOldOne() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());

    String fresh =
        Admin.of(TestServer.shared())
            .post("/admin/people/" + person.email() + "/reset", "")
            .json()
            .get("link")
            .asString();

    assertThat(Pages.stranger().get(person.link()).statusCode()).isEqualTo(410);
    assertThat(Pages.stranger().get(fresh).statusCode()).isEqualTo(200);
  }

  @Test
  void aNewPasswordEndsUnusedLinks() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    Pages.of(person).post("/console/account", "password", PASSWORD);

    assertThat(Pages.stranger().get(person.link()).statusCode()).isEqualTo(410);
  }

  @Test
  void aLinkThatWasNeverMadeDoesNotWork() {
    assertThat(Pages.stranger().get("/console/link/" + "a".repeat(43)).statusCode()).isEqualTo(410);
  }

  @Test
  void onlyTheFirstOperatorLinkCreatesAnOperator(@TempDir Path folder) throws Exception {
    try (ScratchDatabase database = ScratchDatabase.withTables();
        Stockroom stockroom = database.serve(folder)) {
      TestServer server = TestServer.of(stockroom);
      String link = path(stockroom);
      Path file = Objects.requireNonNull(stockroom.firstOperatorFile());
      String other = URI.create(Files.readString(file).strip()).getPath();
      Pages pages = Pages.on(server);

      assertThat(pages.get(link).body()).contains("Welcome to Stockroom");
      assertThat(become(pages, link, "not an address").statusCode()).isEqualTo(422);
      assertThat(become(pages, link, "Ops@Example.com").statusCode()).isEqualTo(302);

      assertThat(pages.get("/console/account").body()).contains("ops@example.com", "operator");
      assertThat(become(Pages.on(server), link, "two@example.com").statusCode()).isEqualTo(410);
      assertThat(become(Pages.on(server), other, "two@example.com").statusCode()).isEqualTo(410);
      assertThat(stockroom.firstOperatorFile()).isNull();
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void theDemoSignsInByLinkWithoutAPassword(@TempDir Path folder) throws Exception {
    try (ScratchDatabase database = ScratchDatabase.withTables();
        Stockroom stockroom = database.serve(folder)) {
      int merchant = TestMerchant.on(TestServer.of(stockroom)).id();
      String link = stockroom.demo().merchantLink(merchant);
      Pages pages = Pages.on(TestServer.of(stockroom));

      assertThat(pages.get(link).body()).contains("Sign in as merchant@demo.example");
      assertThat(pages.post(link).statusCode()).isEqualTo(302);
      assertThat(pages.get("/console/products").statusCode()).isEqualTo(200);
      assertThat(Pages.on(TestServer.of(stockroom)).post(link).statusCode()).isEqualTo(410);
      assertThat(stockroom.demo().merchantLink(merchant)).isNotEqualTo(link);
      assertThat(stockroom.demo().operatorLink()).startsWith("/console/link/");
    }
  }

  private static HttpResponse<String> choose(Pages pages, TestPerson person) {
    return pages.post(person.link(), "password", PASSWORD);
  }

  private static HttpResponse<String> become(Pages pages, String link, String email) {
    return pages.post(link, "email", email, "password", PASSWORD);
  }

  private static String path(Stockroom stockroom) throws SQLException {
    return URI.create(Objects.requireNonNull(stockroom.firstOperatorLink())).getPath();
  }
}
