package io.stockroom.console.mail;

import io.stockroom.core.access.Credentials;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Language;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The mails in the database. A node claims a mail by a lease, and only the holder of the lease can
 * record how its attempt ended.
 */
final class MailQueue {
  /** Longer than an attempt can take. */
  private static final String LEASE = "interval '3 minutes'";

  private static final Duration KEPT = Duration.ofDays(30);

  /** A mail that this node holds. */
  record Claim(
      UUID id, UUID holder, Mail mail, Language language, int attempts, Instant expiresAt) {}

  private record Sealed(UUID id, byte[] body) {}

  private static final Sql ADD =
      Sql.of(
          """
          insert into mail (mail_id, kind, language, recipient, subject, body, unsubscribe,
            created_at, expires_at, next_attempt_at)
          values (:id, :kind, :language, :recipient, :subject, :body, :unsubscribe, :now,
            :expiresAt, :now)
          """);

  private static final Sql CLAIM =
      Sql.of(
          """
          update mail set holder = :holder, lease_until = now() + %s
          where mail_id = (
            select mail_id from mail
            where state = 'waiting' and next_attempt_at <= :now
              and (lease_until is null or lease_until < now())
            order by next_attempt_at limit 1 for update skip locked
          )
          returning mail_id, language, recipient, subject, body, unsubscribe, attempts, expires_at
          """
              .formatted(LEASE));

  private static final Sql END =
      Sql.of(
          """
          update mail set state = :state, answer = :answer, attempts = attempts + :attempts,
            ended_at = :now, body = null, holder = null, lease_until = null
          where mail_id = :id and holder = :holder
          """);

  private static final Sql RETRY_LATER =
      Sql.of(
          """
          update mail set answer = :answer, attempts = attempts + 1,
            next_attempt_at = :nextAttemptAt, holder = null, lease_until = null
          where mail_id = :id and holder = :holder
          """);

  private static final Sql RETRY_NOW =
      Sql.of(
          """
          update mail set next_attempt_at = :now
          where mail_id = :id and state = 'waiting' and lease_until is null
          """);

  private static final Sql LATEST =
      Sql.of(
          """
          select mail_id, kind, recipient, subject, state, attempts, created_at, answer, ended_at,
            case when state = 'waiting' then next_attempt_at end as next_attempt_at
          from mail order by created_at desc, mail_id limit :limit
          """);

  private static final Sql COUNT_SINCE =
      Sql.of(
          """
          select count(*) as mails from mail
          where recipient = :recipient and kind = :kind and created_at > :since
          """);

  private static final Sql DELETE_OLD =
      Sql.of("delete from mail where created_at < :before and state <> 'waiting'");

  private static final Sql WAITING =
      Sql.of("select mail_id, body from mail where state = 'waiting' order by mail_id for update");

  private static final Sql RESEAL = Sql.of("update mail set body = :body where mail_id = :id");

  private final Database database;
  private final Credentials credentials;

  MailQueue(Database database, Credentials credentials) {
    this.database = database;
    this.credentials = credentials;
  }

  void add(Connection connection, MailKind kind, Mail mail, Language language, Instant now)
      throws SQLException {
    UUID id = UUID.randomUUID();
    credentials.holdKey(connection);
    ADD.on(connection)
        .set("id", id)
        .set("kind", kind.word())
        .set("language", language.tag())
        .set("recipient", mail.recipient())
        .set("subject", mail.subject())
        .set("body", credentials.seal(mail.text(), owner(id)))
        .set("unsubscribe", mail.unsubscribe())
        .set("now", now)
        .set("expiresAt", now.plus(kind.life()))
        .update();
  }

  /** The mail that has been due for longest; null if none is due. */
  @Nullable Claim claim(Instant now) throws SQLException {
    UUID holder = UUID.randomUUID();
    return database.write(
        connection ->
            CLAIM
                .on(connection)
                .set("holder", holder)
                .set("now", now)
                .first(row -> claim(row, holder)));
  }

  private Claim claim(ResultSet row, UUID holder) throws SQLException {
    UUID id = row.getObject("mail_id", UUID.class);
    return new Claim(
        id,
        holder,
        new Mail(
            row.getString("recipient"),
            row.getString("subject"),
            credentials.open(row.getBytes("body"), owner(id)),
            row.getString("unsubscribe")),
        Language.choose(row.getString("language"), Language.ENGLISH),
        row.getInt("attempts"),
        Sql.instant(row, "expires_at"));
  }

  /**
   * Ends a mail.
   *
   * @param attempts 1 after an attempt; 0 if the mail expired before it
   */
  void end(Claim claim, boolean sent, String answer, int attempts, Instant now)
      throws SQLException {
    database.write(
        connection ->
            END.on(connection)
                .set("state", sent ? "sent" : "failed")
                .set("answer", answer)
                .set("attempts", attempts)
                .set("now", now)
                .set("id", claim.id)
                .set("holder", claim.holder)
                .update());
  }

  void retryLater(Claim claim, String answer, Instant nextAttemptAt) throws SQLException {
    database.write(
        connection ->
            RETRY_LATER
                .on(connection)
                .set("answer", answer)
                .set("nextAttemptAt", nextAttemptAt)
                .set("id", claim.id)
                .set("holder", claim.holder)
                .update());
  }

  /** Makes the next attempt due; false if the mail does not wait. */
  boolean retryNow(UUID id, Instant now) throws SQLException {
    return database.write(
            connection -> RETRY_NOW.on(connection).set("id", id).set("now", now).update())
        == 1;
  }

  List<MailStatus> latest(int limit) throws SQLException {
    return database.read(
        connection -> LATEST.on(connection).set("limit", limit).list(MailStatus::read));
  }

  /** How many mails of a kind a recipient got after a time. */
  static int countSince(Connection connection, String recipient, MailKind kind, Instant since)
      throws SQLException {
    return COUNT_SINCE
        .on(connection)
        .set("recipient", recipient)
        .set("kind", kind.word())
        .set("since", since)
        .one(row -> row.getInt("mails"));
  }

  void deleteOld(Instant now) throws SQLException {
    database.write(connection -> DELETE_OLD.on(connection).set("before", now.minus(KEPT)).update());
  }

  /** Re-encrypts what waits with the newest key; returns how many mails there are. */
  int reseal(Connection connection) throws SQLException {
    List<Sealed> all =
        WAITING
            .on(connection)
            .list(row -> new Sealed(row.getObject("mail_id", UUID.class), row.getBytes("body")));
    try (Sql.Batch update = RESEAL.batch(connection)) {
      for (Sealed sealed : all) {
        String owner = owner(sealed.id);
        byte[] body = credentials.seal(credentials.open(sealed.body, owner), owner);
        update.set("body", body).set("id", sealed.id).add();
      }
      update.run();
    }
    return all.size();
  }

  private static String owner(UUID id) {
    return "mail " + id;
  }
}
