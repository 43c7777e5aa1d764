package io.stockroom.server.people;

import io.stockroom.server.access.Credentials;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** The secrets of the second factor in the database, encrypted with the server's secret key. */
public final class TotpSecrets {
  /** Where a person stands. */
  record Stored(String secret, boolean confirmed, long lastStep) {}

  private final Credentials credentials;
  private final Clock clock;

  public TotpSecrets(Credentials credentials, Clock clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  /** Holds the person until the transaction ends; null where nothing is set up. */
  @Nullable Stored find(Connection connection, int personId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select totp_secret, totp_confirmed_at is not null, totp_last_step from person
            where person_id = ? and totp_secret is not null
            for update
            """)) {
      statement.setInt(1, personId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? new Stored(
                credentials.open(row.getBytes(1), owner(personId)),
                row.getBoolean(2),
                row.getLong(3))
            : null;
      }
    }
  }

  /**
   * Stores a new secret that is not confirmed yet, unless there is one that is. One that somebody
   * began before is replaced: they have seen it.
   */
  void begin(Connection connection, int personId) throws SQLException {
    credentials.holdKey(connection);
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update person set totp_secret = ? where person_id = ? and totp_confirmed_at is null")) {
      statement.setBytes(1, credentials.seal(Totp.newSecret(), owner(personId)));
      statement.setInt(2, personId);
      statement.executeUpdate();
    }
  }

  /** Says whether the code is right and not used up, and uses it up. */
  boolean use(Connection connection, int personId, Stored stored, String code) throws SQLException {
    long step = Totp.match(stored.secret, code, Totp.step(clock.instant()), stored.lastStep);
    if (step < 0) {
      return false;
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            update person
            set totp_last_step = ?, totp_confirmed_at = coalesce(totp_confirmed_at, now())
            where person_id = ?
            """)) {
      statement.setLong(1, step);
      statement.setInt(2, personId);
      return statement.executeUpdate() == 1;
    }
  }

  /** Says whether there was one. */
  static boolean delete(Connection connection, int personId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            update person set totp_secret = null, totp_confirmed_at = null, totp_last_step = 0
            where person_id = ? and totp_secret is not null
            """)) {
      statement.setInt(1, personId);
      return statement.executeUpdate() == 1;
    }
  }

  /** Encrypts every secret again, with the newest key; gives how many there are. */
  public int reseal(Connection connection) throws SQLException {
    int resealed = 0;
    try (PreparedStatement all =
            connection.prepareStatement(
                """
                select person_id, totp_secret from person where totp_secret is not null
                order by person_id for update
                """);
        PreparedStatement update =
            connection.prepareStatement("update person set totp_secret = ? where person_id = ?");
        ResultSet row = all.executeQuery()) {
      while (row.next()) {
        String owner = owner(row.getInt(1));
        update.setBytes(1, credentials.seal(credentials.open(row.getBytes(2), owner), owner));
        update.setInt(2, row.getInt(1));
        update.addBatch();
        resealed++;
      }
      update.executeBatch();
    }
    return resealed;
  }

  private static String owner(int personId) {
    return "person " + personId;
  }
}
