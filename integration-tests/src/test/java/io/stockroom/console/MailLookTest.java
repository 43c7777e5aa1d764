package io.stockroom.console;

import com.microsoft.playwright.Page;
import io.stockroom.core.database.Sql;
import io.stockroom.server.testing.MailReceiver;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The look of pages that need a mail server. */
class MailLookTest {

  /** Later than those of other tests. */
  private static final Sql ADD_MAILS =
      Sql.of(
          """
          insert into mail (mail_id, kind, language, recipient, subject, body, unsubscribe,
            created_at, expires_at, state, attempts, next_attempt_at, answer, ended_at)
          values (gen_random_uuid(), 'digest', 'en', 'li@looks.example', '', null, '',
              '2099-01-01 08:00Z', '2099-01-02 08:00Z', 'sent', 1, '2099-01-01 08:00Z',
              '250 2.0.0 Ok: queued as 4F3C1', '2099-01-01 08:00Z'),
            (gen_random_uuid(), 'invitation', 'en', 'wang@looks.example', '', '\\x00', '',
              '2099-01-01 07:00Z', '2099-01-02 07:00Z', 'waiting', 2, '2099-01-01 07:06Z',
              '451 4.7.1 Greylisted, please try again later', null),
            (gen_random_uuid(), 'reset', 'en', 'nobody@looks.example', '', null, '',
              '2099-01-01 06:00Z', '2099-01-01 06:30Z', 'failed', 1, '2099-01-01 06:00Z',
              '550 5.1.1 User unknown', '2099-01-01 06:01Z')
          """);

  private static final Sql DELETE_MAILS =
      Sql.of("delete from mail where recipient like '%@looks.example'");

  private final TestMerchant merchant = TestMerchant.on(server());

  @AfterAll
  static void delete() throws SQLException {
    server().directory().write(connection -> DELETE_MAILS.on(connection).update());
  }

  @Test
  void mailAndNotificationsLookAsTheyShould() throws SQLException {
    server().directory().write(connection -> ADD_MAILS.on(connection).update());
    TestPerson operator = TestPerson.operator(server());
    TestPerson person = TestPerson.of(merchant);
    List<Integer> products = merchant.products(2);
    merchant.api().create(Stock.one(products.get(0), "red", "36", 0));
    merchant.api().create(Stock.one(products.get(1), "red", "36", 4));
    Pages.of(person)
        .post("/console/notifications", "digest", "true", "hour", "8", "zone", "Asia/Shanghai");
    String unsubscribe =
        merchant
            .inDirectory(
                "select unsubscribe_id from notification_preference where person_id = "
                    + person.id())
            .getFirst();
    Looks.check(
        "mail",
        server(),
        List.of(
            LookScene.of("sign-in-with-mail", null, "/console/sign-in"),
            LookScene.of("forgotten-password", null, "/console/sign-in/forgotten"),
            LookScene.of("forgotten-password-sent", null, "/console/sign-in/forgotten?sent")
                .withoutAxe(),
            LookScene.of("notifications", person, "/console/notifications"),
            LookScene.of("unsubscribe", null, "/console/unsubscribe/" + unsubscribe),
            LookScene.of("mail-server", operator, "/console/mail")
                .same("localhost:" + MailReceiver.shared().port(), "smtp.example.com:587")
                .then(MailLookTest::hideOthers),
            LookScene.of("mail-tested", operator, "/console/mail")
                .same("localhost:" + MailReceiver.shared().port(), "smtp.example.com:587")
                .then(MailLookTest::test)));
  }

  private static void hideOthers(Page page) {
    page.evaluate(
        "() => document.querySelectorAll('tbody tr').forEach((row, i) => i > 2 && row.remove())");
  }

  private static void test(Page page) {
    page.locator("[name=to]").fill("li@looks.example");
    page.locator("main button.main").click();
    page.locator("pre").waitFor();
    hideOthers(page);
  }

  private static TestServer server() {
    return MailReceiver.server();
  }
}
