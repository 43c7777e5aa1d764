package io.stockroom.server.access;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How the tokens of a merchant are replaced and ended; each is named by how it visibly begins. */
public final class TokenLives {
  private final Database database;
  private final Credentials credentials;
  private final Audit audit;

  public TokenLives(Database database, Credentials credentials, Audit audit) {
    this.database = database;
    this.credentials = credentials;
    this.audit = audit;
  }

  /** Ends a token now; says whether there is such a token of this merchant and application. */
  public boolean revoke(int merchantId, String appid, String prefix, Actor actor)
      throws SQLException {
    return database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update access_token set revoked_at = coalesce(revoked_at, now())
                  where merchant_id = ? and prefix = ?
                    and application_id = (select application_id from application where appid = ?)
                  """)) {
            statement.setInt(1, merchantId);
            statement.setString(2, prefix);
            statement.setString(3, appid);
            if (statement.executeUpdate() == 0) {
              return false;
            }
          }
          audit.add(connection, merchantId, actor, "token.revoke", prefix, appid);
          return true;
        });
  }

  /**
   * Makes a token like an earlier one, which lasts as long as that was made to last; the earlier
   * one works until {@code formerUntil} at the latest. Gives null where there is no such token,
   * where it has ended already, or where its application is stopped.
   */
  public @Nullable String rotate(
      int merchantId, String appid, String prefix, Instant formerUntil, Actor actor)
      throws SQLException {
    String token = credentials.newToken();
    return database.write(
        connection -> {
          if (!copy(connection, merchantId, appid, prefix, token)) {
            return null;
          }
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update access_token set expires_at = least(expires_at, ?)
                  where merchant_id = ? and prefix = ?
                  """)) {
            statement.setObject(1, Credentials.time(formerUntil));
            statement.setInt(2, merchantId);
            statement.setString(3, prefix);
            statement.executeUpdate();
          }
          String details =
              "for %s, instead of %s, which works until %s".formatted(appid, prefix, formerUntil);
          audit.add(
              connection, merchantId, actor, "token.rotate", Credentials.visible(token), details);
          return token;
        });
  }

  private static boolean copy(
      Connection connection, int merchantId, String appid, String prefix, String token)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into access_token
              (merchant_id, application_id, hash, prefix, bound_store, scopes, expires_at)
            select t.merchant_id, t.application_id, ?, ?, t.bound_store, t.scopes,
                   now() + (t.expires_at - t.created_at)
            from access_token t join application a using (application_id)
            where t.merchant_id = ? and t.prefix = ? and a.appid = ?
              and a.stopped_at is null
              and t.revoked_at is null and coalesce(t.expires_at > now(), true)
            limit 1
            """)) {
      statement.setBytes(1, Credentials.hash(token));
      statement.setString(2, Credentials.visible(token));
      statement.setInt(3, merchantId);
      statement.setString(4, prefix);
      statement.setString(5, appid);
      return statement.executeUpdate() == 1;
    }
  }
}
