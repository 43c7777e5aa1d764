package io.stockroom.core.access;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads the secrets of applications, so that the server can sign requests on their behalf. A secret
 * is shown once, when it is created, and never from here.
 */
public final class StoredSecrets {
  /**
   * What an application signs with.
   *
   * @param former the previous secret; null if there was none
   * @param formerUntil when the previous secret stops, or stopped, working
   */
  public record Secrets(
      String present, @Nullable String former, @Nullable Instant formerUntil, Signing signing) {
    /** Keeps the secrets out of logs. */
    @Override
    public String toString() {
      return "Secrets[]";
    }
  }

  private final Database database;
  private final Credentials credentials;

  public StoredSecrets(Database database, Credentials credentials) {
    this.database = database;
    this.credentials = credentials;
  }

  private static final Sql FIND =
      Sql.of(
          """
          select secret, previous_secret, previous_until, require_hmac, require_nonce, restrict_md5
          from application where appid = :appid
          """);

  /** The secrets of an application; null if there is none with this appid. */
  public @Nullable Secrets of(String appid) throws SQLException {
    return database.read(
        connection -> FIND.on(connection).set("appid", appid).first(row -> read(row, appid)));
  }

  private Secrets read(ResultSet row, String appid) throws SQLException {
    byte[] former = row.getBytes("previous_secret");
    return new Secrets(
        credentials.open(row.getBytes("secret"), appid),
        former == null ? null : credentials.open(former, appid),
        Sql.instantOrNull(row, "previous_until"),
        Signing.read(row));
  }
}
