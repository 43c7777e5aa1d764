package io.stockroom.console.mail;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.MailReceiver;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Invitations, forgotten passwords and the operator's test, on a server with a mail server. */
class MailPagesTest {
  private static final String FORGOTTEN = "/console/sign-in/forgotten";

  private final TestServer server = MailReceiver.server();
  private final MailReceiver receiver = MailReceiver.shared();

  private static String path(MailReceiver.Received mail) {
    Matcher link =
        Pattern.compile("<http://stockroom\\.example(/console/link/\\S+)>").matcher(mail.text());
    assertThat(link.find()).as(mail.text()).isTrue();
    return link.group(1);
  }

  @Test
  void mailsALinkForAForgottenPassword() {
    TestPerson person = TestPerson.of(TestMerchant.on(server)).withPassword();
    Pages stranger = Pages.on(server).with("Host-To-Ignore", "evil.example");

    assertThat(stranger.get("/console/sign-in").body()).contains(FORGOTTEN);
    HttpResponse<String> answer = stranger.post(FORGOTTEN, "email", " " + person.email() + " ");
    assertThat(answer.headers().firstValue("Location")).hasValue(FORGOTTEN + "?sent");
    MailReceiver.Received mail = receiver.await(person.email(), 1);
    String path = path(mail);

    assertThat(mail.text()).contains("within 30 minutes").contains("127.0.0.1");
    assertThat(Pages.on(server).get(person.link()).statusCode()).as("invitation").isEqualTo(200);
    assertThat(Pages.on(server).get(path).body()).contains(person.email());
    assertThat(Pages.on(server).post(path, "password", "a much better password").statusCode())
        .isEqualTo(302);
    assertThat(Pages.on(server).get(path).statusCode()).as("used").isEqualTo(410);
    assertThat(Pages.of(person).get("/console/account").statusCode())
        .as("sessions end")
        .isEqualTo(302);
  }

  @Test
  void theLinkExpiresAfterHalfAnHour() {
    TestPerson person = TestPerson.of(TestMerchant.on(server));
    Pages.on(server).post(FORGOTTEN, "email", person.email());
    String path = path(receiver.await(person.email(), 1));

    person.ageLink("29 minutes");
    assertThat(Pages.on(server).get(path).statusCode()).isEqualTo(200);
    person.ageLink("1 minute");
    assertThat(Pages.on(server).get(path).statusCode()).isEqualTo(410);
  }

  @Test
  void answersTheSameForUnknownAddressesAndLimitsRequests() {
    TestPerson person = TestPerson.of(TestMerchant.on(server));
    String nobody = "nobody-" + person.email();
    for (int i = 1; i <= 5; i++) {
      for (String email : List.of(nobody, person.email())) {
        HttpResponse<String> answer = Pages.on(server).post(FORGOTTEN, "email", email);
        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location")).hasValue(FORGOTTEN + "?sent");
      }
    }
    for (String email : List.of(nobody, person.email())) {
      HttpResponse<String> sixth = Pages.on(server).post(FORGOTTEN, "email", email);
      assertThat(sixth.statusCode()).isEqualTo(429);
      assertThat(sixth.headers().firstValue("Retry-After")).isPresent();
    }
    assertThat(Pages.on(server).post(FORGOTTEN, "email", "nonsense").statusCode()).isEqualTo(422);
    receiver.await(person.email(), 3);
    assertThat(receiver.of(person.email())).as("at most 3 mails").hasSize(3);
    assertThat(receiver.of(nobody)).isEmpty();
  }

  @Test
  void withoutAMailServerThePageDoesNotExist() {
    assertThat(Pages.stranger().get(FORGOTTEN).statusCode()).isEqualTo(404);
    assertThat(Pages.stranger().post(FORGOTTEN, "email", "a@b.c").statusCode()).isEqualTo(404);
    assertThat(Pages.stranger().get("/console/sign-in").body()).doesNotContain(FORGOTTEN);
  }

  @Test
  void mailsInvitationsAndShowsTheLinkOnlyIfAsked() {
    TestMerchant merchant = TestMerchant.on(server);
    Pages operator = Pages.of(TestPerson.operator(server));
    String email = "invited-to-%d@example.com".formatted(merchant.id());

    HttpResponse<String> added =
        operator.post(
            "/console/people",
            "email",
            email,
            "merchant",
            Integer.toString(merchant.id()),
            "mail",
            "true");
    MailReceiver.Received mail = receiver.await(email, 1);

    assertThat(added.body()).contains("on its way to " + email).doesNotContain("/console/link/");
    assertThat(mail.text()).contains("console of Merchant").contains("within 3 days");
    assertThat(Pages.on(server).get(path(mail)).statusCode()).isEqualTo(200);
    String person =
        merchant
            .inDirectory("select person_id from person where email = '%s'".formatted(email))
            .getFirst();
    assertThat(operator.post("/console/people/%s/link".formatted(person)).body())
        .contains("http://stockroom.example/console/link/");
    assertThat(
            operator
                .with("Accept-Language", "zh")
                .post("/console/people/%s/link".formatted(person), "mail", "true")
                .body())
        .contains(email);
    assertThat(receiver.await(email, 2).subject()).isEqualTo("您的 Stockroom 账号");
  }

  @Test
  void testsTheMailServer() {
    Pages operator = Pages.of(TestPerson.operator(server));
    String email = "tested@example.com";

    assertThat(operator.post("/console/mail/test", "to", email).body())
        .contains("accepted the email: 250")
        .contains("RCPT TO:");
    assertThat(operator.post("/console/mail/test", "to", "rejected@example.com").body())
        .contains("was not sent: 554 5.7.1 no such content");
    assertThat(operator.post("/console/mail/test", "to", "x\r\ny@z").statusCode()).isEqualTo(422);
    Reply answer = Admin.of(server).post("/admin/mail/test", "{\"to\":\"%s\"}".formatted(email));
    assertThat(answer.json().get("sent").asBoolean()).isTrue();
    assertThat(answer.json().get("dialog").toString()).contains("MAIL FROM:");
    assertThat(receiver.of(email)).hasSize(2);
    assertThat(Admin.of(server).post("/admin/mail/test", "{\"to\":\"x\"}").status()).isEqualTo(400);
    assertThat(
            Admin.of(TestServer.shared())
                .post("/admin/mail/test", "{\"to\":\"%s\"}".formatted(email))
                .json()
                .get("answer")
                .asString())
        .contains("mail.host is not set");
  }
}
