package io.stockroom.server.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.console.people.Role;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** NUL, the one character that PostgreSQL cannot store, in every input. */
class NulTest {
  private static final TestServer SERVER = TestServer.shared();
  private static final List<String> NAMES_IN_QUERIES =
      List.of(
          "merchant",
          "merchantId",
          "state",
          "app",
          "review",
          "name",
          "encoding",
          "delimiter",
          "map",
          "apply",
          "skipBad",
          "wait",
          "format",
          "page",
          "store",
          "email",
          "endpoint",
          "status",
          "code",
          "since",
          "until",
          "before",
          "request",
          "number",
          "action",
          "limit");
  private static List<ConsolePage> pages;
  private static AddressParts parts;

  @BeforeAll
  static void gather() {
    pages = ConsolePage.all(SERVER);
    parts = AddressParts.make();
  }

  @Test
  void isRejectedInPageParameters() {
    TestPerson operator = TestPerson.operator();
    TestPerson merchant = TestPerson.of(parts.owner());
    int asked = 0;
    for (ConsolePage page : pages) {
      TestPerson person = page.roles().contains(Role.MERCHANT) ? merchant : operator;
      String path = parts.theirs(page.path());
      for (String name : page.parameters()) {
        asked++;
        HttpResponse<String> inQuery = ask(page, Pages.of(person), path + "?" + name + "=a%00b");
        assertThat(inQuery.statusCode()).as("%s %s", page, name).isEqualTo(400);
        assertThat(inQuery.body()).contains("NUL");
        if (page.changes()) {
          assertThat(Pages.of(person).post(path, name, "a\0b").statusCode())
              .as("%s %s in the form", page, name)
              .isEqualTo(400);
        }
      }
    }
    assertThat(asked).isGreaterThan(50);
    assertThat(Pages.of(merchant).get("/console/products?q=a%20b").statusCode()).isEqualTo(200);
    assertThat(Pages.of(merchant).get("/console/products?none%00=1").statusCode()).isEqualTo(400);
  }

  @Test
  void isRejectedInPagePaths() {
    TestPerson operator = TestPerson.operator();
    TestPerson merchant = TestPerson.of(parts.owner());
    for (ConsolePage page : pages) {
      if (AddressParts.namesSomething(page.path())) {
        TestPerson person = page.roles().contains(Role.MERCHANT) ? merchant : operator;
        String path = page.path().replaceAll("\\{[^}]*}", "a%00b").replace("/**", "");
        assertThat(ask(page, Pages.of(person), path).statusCode())
            .as(page + " " + path)
            .isBetween(400, 499);
      }
    }
  }

  @Test
  void neverCausesA5xxInTheAdminApi() {
    int refused = 0;
    for (String address : SERVER.addresses()) {
      if (address.startsWith("GET /admin/")) {
        String path = address.substring("GET ".length());
        for (String name : NAMES_IN_QUERIES) {
          String asked = parts.theirs(path) + "?" + name + "=a%00b";
          HttpResponse<String> reply = admin(asked);
          assertThat(reply.statusCode()).as(asked).isLessThan(500);
          refused += reply.body().contains("TEXT_CHARACTERS") ? 1 : 0;
        }
        if (AddressParts.namesSomething(path)) {
          String broken = path.replaceAll("\\{[^}]*}", "a%00b");
          assertThat(admin(broken).statusCode()).as(broken).isBetween(400, 499);
        }
      }
    }
    assertThat(refused).isPositive();
  }

  private static HttpResponse<String> admin(String path) {
    URI address = URI.create("http://127.0.0.1:" + SERVER.adminPort() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(address)
              .header("Authorization", "Bearer " + SERVER.operatorKey())
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void isRejectedInImportColumns() {
    String imports = "/admin/merchants/" + parts.owner().id() + "/imports";
    Admin admin = Admin.of(SERVER);
    Reply inQuery =
        admin.upload(
            imports + "?name=p.csv&map=a%00=title", BodyPublishers.ofString("artNo\nA1\n"));
    assertThat(inQuery.codes()).contains("TEXT_CHARACTERS");
    int importId =
        parts.owner().imports().plan("p.csv", "artNo\nA1\n").json().get("importId").asInt();
    for (String columns : List.of("{\"a\\u0000\":\"title\"}", "{\"a\":\"title\\u0000\"}")) {
      Reply inBody =
          admin.post(imports + "/" + importId + "/plan", "{\"columns\":" + columns + "}");
      assertThat(inBody.codes()).as(columns).contains("TEXT_CHARACTERS");
    }
  }

  private static HttpResponse<String> ask(ConsolePage page, Pages visitor, String path) {
    return page.changes() ? visitor.post(path) : visitor.get(path);
  }
}
