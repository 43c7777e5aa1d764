package io.stockroom.console.notifications;

import io.stockroom.console.mail.Mail;
import io.stockroom.console.mail.MailKind;
import io.stockroom.console.mail.MailTexts;
import io.stockroom.console.mail.Mails;
import io.stockroom.core.catalogue.LowProducts;
import io.stockroom.core.catalogue.StockStatus;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.SqlFailures;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Mails each subscriber once a day what became low or sold out since the last digest; people of
 * suspended and closed merchants get none. Any node may do it: the one that moves the subscription
 * on queues the mail, in the same transaction.
 */
public final class LowStockDigest {
  private static final int PEOPLE_AT_ONCE = 100;
  private static final int MAX_PRODUCTS = 50;

  private record Due(
      int personId,
      String email,
      int merchantId,
      String merchantName,
      Instant at,
      Instant from,
      UUID unsubscribeId,
      DigestPreference preference) {}

  private static final Sql DUE =
      Sql.of(
          """
          select n.person_id, p.email, p.merchant_id, m.name as merchant_name, n.next_digest_at,
            n.digest_from, n.unsubscribe_id, true as digest, n.hour, n.zone, n.language
          from notification_preference n
          join person p using (person_id)
          join merchant m using (merchant_id)
          where n.next_digest_at <= :now and m.suspended_at is null and m.closed_at is null
          order by n.next_digest_at limit :limit
          """);

  private static final Sql MOVE_ON =
      Sql.of(
          """
          update notification_preference set next_digest_at = :next, digest_from = :until
          where person_id = :personId and next_digest_at = :at
          """);

  private final Database database;
  private final LowProducts low;
  private final Mails mails;
  private final Clock clock;

  public LowStockDigest(Database database, LowProducts low, Mails mails, Clock clock) {
    this.database = database;
    this.low = low;
    this.mails = mails;
    this.clock = clock;
  }

  /** Queues the digests that are due; a later run does the rest. */
  public void queueDue() throws SQLException {
    if (!mails.isOn()) {
      return;
    }
    Instant now = clock.instant();
    List<Due> due =
        database.read(
            connection ->
                DUE.on(connection)
                    .set("now", now)
                    .set("limit", PEOPLE_AT_ONCE)
                    .list(
                        row ->
                            new Due(
                                row.getInt("person_id"),
                                row.getString("email"),
                                row.getInt("merchant_id"),
                                row.getString("merchant_name"),
                                Sql.instant(row, "next_digest_at"),
                                Sql.instant(row, "digest_from"),
                                row.getObject("unsubscribe_id", UUID.class),
                                Notifications.preference(row))));
    for (Due each : due) {
      try {
        // after a large import the summaries need some seconds: the next run tries again
        if (low.refresh(each.merchantId)) {
          queue(each, low.exactlySince(each.merchantId, each.from, MAX_PRODUCTS), now);
        }
      } catch (SQLException failure) {
        // the merchants of other cells need not wait for this one
        if (!SqlFailures.isUnavailable(failure)) {
          throw failure;
        }
      }
    }
  }

  private void queue(Due due, LowProducts.Found found, Instant now) throws SQLException {
    database.write(
        connection -> {
          int moved =
              MOVE_ON
                  .on(connection)
                  .set("next", due.preference.next(now))
                  .set("until", found.until())
                  .set("personId", due.personId)
                  .set("at", due.at)
                  .update();
          if (moved == 1 && !found.isEmpty() && Mail.isAddress(due.email)) {
            mails.add(connection, MailKind.DIGEST, mail(due, found), due.preference.language());
          }
          return null;
        });
  }

  private Mail mail(Due due, LowProducts.Found found) {
    MailTexts texts = new MailTexts(due.preference.language());
    String merchant = Mail.oneLine(due.merchantName);
    StringBuilder text = new StringBuilder(texts.text("digest.text", found.total(), merchant));
    for (StockStatus status : List.of(StockStatus.SOLD_OUT, StockStatus.LOW)) {
      String lines =
          found.products().stream()
              .filter(product -> product.status() == status)
              .map(this::line)
              .collect(Collectors.joining("\n"));
      if (!lines.isEmpty()) {
        text.append("\n\n").append(texts.text("digest." + status.word())).append("\n\n");
        text.append(lines);
      }
    }
    if (found.total() > found.products().size()) {
      text.append("\n\n")
          .append(
              texts.text(
                  "digest.more",
                  found.total() - found.products().size(),
                  mails.url("/console/notifications")));
    }
    text.append("\n\n").append(texts.text("digest.end", mails.url("/console/notifications")));
    return new Mail(
        due.email,
        texts.text("digest.subject", found.total(), merchant),
        text.toString(),
        mails.url("/console/unsubscribe/" + due.unsubscribeId));
  }

  private String line(LowProducts.Low product) {
    return "- %s · %s <%s>"
        .formatted(
            Mail.oneLine(product.artNo()),
            Mail.oneLine(product.title()),
            mails.url("/console/products/%d/stock".formatted(product.productId())));
  }
}
