package io.stockroom.console;

import io.stockroom.console.account.ForgottenPasswordPages;
import io.stockroom.console.mail.Mails;
import io.stockroom.console.notifications.NotificationPages;
import io.stockroom.console.notifications.Notifications;
import io.stockroom.console.notifications.UnsubscribePages;
import io.stockroom.console.operator.MailPages;
import io.stockroom.console.people.MailedLinks;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.catalogue.LowProducts;
import io.stockroom.core.database.Cells;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the pages of email and notifications; a part of {@link ConsoleConfiguration}. */
@Configuration(proxyBeanMethods = false)
class MailConfiguration {
  @Bean
  LowProducts lowProducts(Cells cells) {
    return new LowProducts(cells);
  }

  @Bean
  Notifications notifications(Cells cells, LowProducts low, Audit audit, Clock clock) {
    return new Notifications(cells.directory(), low, audit, clock);
  }

  @Bean
  NotificationPages notificationPages(Notifications notifications, LowProducts low, Mails mails) {
    return new NotificationPages(notifications, low, mails);
  }

  @Bean
  UnsubscribePages unsubscribePages(Notifications notifications) {
    return new UnsubscribePages(notifications);
  }

  @Bean
  ForgottenPasswordPages forgottenPasswordPages(MailedLinks mailedLinks) {
    return new ForgottenPasswordPages(mailedLinks);
  }

  @Bean
  MailPages mailPages(Mails mails) {
    return new MailPages(mails);
  }
}
