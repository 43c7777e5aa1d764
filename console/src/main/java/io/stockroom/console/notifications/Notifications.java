package io.stockroom.console.notifications;

import io.stockroom.console.people.Person;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.catalogue.LowProducts;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Language;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What people want to be notified of, and what they have seen. */
public final class Notifications {
  // a row without digest_from only says what the person has seen: its other columns are defaults
  private static final Sql FIND =
      Sql.of(
          """
          select next_digest_at is not null as digest, hour, zone, language
          from notification_preference where person_id = :personId and digest_from is not null
          """);

  private static final Sql SAVE =
      Sql.of(
          """
          insert into notification_preference as n
            (person_id, next_digest_at, hour, zone, language, digest_from)
          values (:personId, :next, :hour, :zone, :language, :from)
          on conflict (person_id) do update set next_digest_at = excluded.next_digest_at,
            hour = excluded.hour, zone = excluded.zone, language = excluded.language,
            digest_from =
              case when n.next_digest_at is null then excluded.digest_from else n.digest_from end
          """);

  private static final Sql SEEN =
      Sql.of("select seen_at from notification_preference where person_id = :personId");

  private static final Sql MARK_SEEN =
      Sql.of(
          """
          insert into notification_preference as n (person_id, seen_at)
          values (:personId, :until)
          on conflict (person_id) do update
          set seen_at = greatest(n.seen_at, excluded.seen_at)
          """);

  private static final Sql FIND_UNSUBSCRIBING =
      Sql.of(
          """
          select p.email, p.merchant_id from notification_preference n
          join person p using (person_id)
          where n.unsubscribe_id = :id
          """);

  private static final Sql UNSUBSCRIBE =
      Sql.of(
          """
          update notification_preference set next_digest_at = null
          where unsubscribe_id = :id and next_digest_at is not null
          """);

  private record Subscriber(String email, int merchantId) {}

  private final Database database;
  private final LowProducts low;
  private final Audit audit;
  private final Clock clock;

  public Notifications(Database database, LowProducts low, Audit audit, Clock clock) {
    this.database = database;
    this.low = low;
    this.audit = audit;
    this.clock = clock;
  }

  /** The person's preference; {@code standard} if there is none yet. */
  public DigestPreference of(Person person, DigestPreference standard) throws SQLException {
    DigestPreference saved =
        database.read(
            connection ->
                FIND.on(connection)
                    .set("personId", person.personId())
                    .first(Notifications::preference));
    return saved == null ? standard : saved;
  }

  static DigestPreference preference(ResultSet row) throws SQLException {
    return new DigestPreference(
        row.getBoolean("digest"),
        row.getInt("hour"),
        ZoneId.of(row.getString("zone")),
        Language.choose(row.getString("language"), Language.ENGLISH));
  }

  public void save(Person person, DigestPreference preference, Actor actor) throws SQLException {
    // what is low already is not news
    int merchantId = Objects.requireNonNull(person.merchantId());
    low.refresh(merchantId);
    Instant from = low.now(merchantId);
    Instant next = preference.isOn() ? preference.next(clock.instant()) : null;
    String details =
        preference.isOn()
            ? "daily digest at %d:00 %s".formatted(preference.hour(), preference.zone())
            : "no digest";
    database.write(
        connection -> {
          SAVE.on(connection)
              .set("personId", person.personId())
              .set("next", next)
              .set("hour", preference.hour())
              .set("zone", preference.zone().getId())
              .set("language", preference.language().tag())
              .set("from", from)
              .update();
          audit.addFromDirectory(
              connection, merchantId, actor, "person.notifications", person.email(), details);
          return null;
        });
  }

  /** What became low since the person last marked it as seen. */
  public LowProducts.Found unseen(Person person, int limit) throws SQLException {
    Instant seen =
        database.read(
            connection ->
                SEEN.on(connection)
                    .set("personId", person.personId())
                    .<Instant>first(row -> Sql.instantOrNull(row, "seen_at")));
    return low.since(
        Objects.requireNonNull(person.merchantId()),
        seen == null ? person.createdAt() : seen,
        limit);
  }

  /**
   * Remembers what the person has seen.
   *
   * @param until the time of the page that was shown; times in the future count as now
   */
  public void markSeen(Person person, Instant until) throws SQLException {
    Instant now = low.now(Objects.requireNonNull(person.merchantId()));
    database.write(
        connection ->
            MARK_SEEN
                .on(connection)
                .set("personId", person.personId())
                .set("until", until.isAfter(now) ? now : until)
                .update());
  }

  /** The email address of the link's subscriber; null if there is none. */
  public @Nullable String subscriber(UUID id) throws SQLException {
    Subscriber found = find(id);
    return found == null ? null : found.email;
  }

  private @Nullable Subscriber find(UUID id) throws SQLException {
    return database.read(
        connection ->
            FIND_UNSUBSCRIBING
                .on(connection)
                .set("id", id)
                .first(row -> new Subscriber(row.getString("email"), row.getInt("merchant_id"))));
  }

  /** Ends the digest of the link's subscriber. */
  public void unsubscribe(UUID id, String address) throws SQLException {
    Subscriber subscriber = find(id);
    if (subscriber == null) {
      return;
    }
    database.write(
        connection -> {
          if (UNSUBSCRIBE.on(connection).set("id", id).update() == 1) {
            audit.addFromDirectory(
                connection,
                subscriber.merchantId,
                Actor.anonymous(address),
                "person.notifications",
                subscriber.email,
                "no digest");
          }
          return null;
        });
  }
}
