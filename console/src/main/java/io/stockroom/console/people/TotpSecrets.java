package io.stockroom.console.people;

import io.stockroom.core.access.Credentials;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TOTP secrets in the database, encrypted with the server's secret key. */
public final class TotpSecrets {
  private static final Sql FIND =
      Sql.of(
          """
          select totp_secret, totp_confirmed_at is not null as confirmed, totp_last_step
          from person
          where person_id = :personId and totp_secret is not null
          for update
          """);

  private static final Sql BEGIN =
      Sql.of(
          """
          update person set totp_secret = :sealed
          where person_id = :personId and totp_confirmed_at is null
          """);

  private static final Sql USE =
      Sql.of(
          """
          update person
          set totp_last_step = :step, totp_confirmed_at = coalesce(totp_confirmed_at, now())
          where person_id = :personId
          """);

  private static final Sql DELETE =
      Sql.of(
          """
          update person set totp_secret = null, totp_confirmed_at = null, totp_last_step = 0
          where person_id = :personId and totp_secret is not null
          """);

  private static final Sql ALL =
      Sql.of(
          """
          select person_id, totp_secret from person where totp_secret is not null
          order by person_id
          for update
          """);

  private static final Sql RESEAL =
      Sql.of("update person set totp_secret = :sealed where person_id = :personId");

  /** The secret of one person. */
  record Stored(String secret, boolean confirmed, long lastStep) {}

  private record Sealed(int personId, byte[] secret) {}

  private final Credentials credentials;
  private final Clock clock;

  public TotpSecrets(Credentials credentials, Clock clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  /** Locks the person until the transaction ends; null if no secret exists. */
  @Nullable Stored find(Connection connection, int personId) throws SQLException {
    return FIND.on(connection)
        .set("personId", personId)
        .first(
            row ->
                new Stored(
                    credentials.open(row.getBytes("totp_secret"), owner(personId)),
                    row.getBoolean("confirmed"),
                    row.getLong("totp_last_step")));
  }

  /**
   * Stores a new unconfirmed secret unless the person has a confirmed one. Replaces an earlier
   * unconfirmed secret, because someone else may have seen it.
   */
  void begin(Connection connection, int personId) throws SQLException {
    credentials.holdKey(connection);
    BEGIN
        .on(connection)
        .set("sealed", credentials.seal(Totp.newSecret(), owner(personId)))
        .set("personId", personId)
        .update();
  }

  /** Uses the code; returns whether it is correct and unused. */
  boolean use(Connection connection, int personId, Stored stored, String code) throws SQLException {
    long step = Totp.match(stored.secret, code, Totp.step(clock.instant()), stored.lastStep);
    return step >= 0
        && USE.on(connection).set("step", step).set("personId", personId).update() == 1;
  }

  /** Returns whether there was a secret. */
  static boolean delete(Connection connection, int personId) throws SQLException {
    return DELETE.on(connection).set("personId", personId).update() == 1;
  }

  /** Re-encrypts every secret with the newest key; returns how many there are. */
  public int reseal(Connection connection) throws SQLException {
    List<Sealed> all =
        ALL.on(connection)
            .list(row -> new Sealed(row.getInt("person_id"), row.getBytes("totp_secret")));
    try (Sql.Batch update = RESEAL.batch(connection)) {
      for (Sealed sealed : all) {
        String owner = owner(sealed.personId);
        String secret = credentials.open(sealed.secret, owner);
        update
            .set("sealed", credentials.seal(secret, owner))
            .set("personId", sealed.personId)
            .add();
      }
      update.run();
    }
    return all.size();
  }

  private static String owner(int personId) {
    return "person " + personId;
  }
}
