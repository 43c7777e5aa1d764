package io.stockroom.server.access;

import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of applications, for signing in their stead on this server. They are shown to nobody:
 * a secret is shown when it is made, and never again.
 */
public final class StoredSecrets {
  /**
   * What an application signs with.
   *
   * @param former the secret before it; null where there was none
   * @param formerUntil until when that one works, or worked
   */
  public record Secrets(
      String present, @Nullable String former, @Nullable Instant formerUntil, boolean requireHmac) {
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

  /** The secrets of an application; null where there is none of this appid. */
  public @Nullable Secrets of(String appid) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select secret, previous_secret, previous_until, require_hmac
                  from application where appid = ?
                  """)) {
            statement.setString(1, appid);
            try (ResultSet row = statement.executeQuery()) {
              if (!row.next()) {
                return null;
              }
              byte[] former = row.getBytes("previous_secret");
              return new Secrets(
                  credentials.open(row.getBytes("secret"), appid),
                  former == null ? null : credentials.open(former, appid),
                  Credentials.instant(row, "previous_until"),
                  row.getBoolean("require_hmac"));
            }
          }
        });
  }
}
