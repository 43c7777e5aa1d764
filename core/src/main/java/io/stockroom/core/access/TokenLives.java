package io.stockroom.core.access;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rotates and revokes the tokens of a merchant; each is named by its visible prefix. */
public final class TokenLives {
  private static final Sql REVOKE =
      Sql.of(
          """
          update access_token set revoked_at = coalesce(revoked_at, now())
          where merchant_id = :merchantId and prefix = :prefix
            and application_id = (select application_id from application where appid = :appid)
          """);

  private static final Sql SHORTEN =
      Sql.of(
          """
          update access_token set expires_at = least(expires_at, :until)
          where merchant_id = :merchantId and prefix = :prefix
          """);

  private static final Sql COPY =
      Sql.of(
          """
          insert into access_token
            (merchant_id, application_id, hash, prefix, bound_store, scopes, expires_at)
          select t.merchant_id, t.application_id, :newHash, :newPrefix, t.bound_store, t.scopes,
                 now() + (t.expires_at - t.created_at)
          from access_token t join application a using (application_id)
          where t.merchant_id = :merchantId and t.prefix = :prefix and a.appid = :appid
            and a.stopped_at is null
            and t.revoked_at is null and coalesce(t.expires_at > now(), true)
          limit 1
          """);

  private final Database database;
  private final Credentials credentials;
  private final Audit audit;

  public TokenLives(Database database, Credentials credentials, Audit audit) {
    this.database = database;
    this.credentials = credentials;
    this.audit = audit;
  }

  /** Revokes a token; returns whether this merchant and application have it. */
  public boolean revoke(int merchantId, String appid, String prefix, Actor actor)
      throws SQLException {
    return database.write(
        connection -> {
          int revoked =
              REVOKE
                  .on(connection)
                  .set("merchantId", merchantId)
                  .set("prefix", prefix)
                  .set("appid", appid)
                  .update();
          if (revoked == 0) {
            return false;
          }
          audit.addFromDirectory(connection, merchantId, actor, "token.revoke", prefix, appid);
          return true;
        });
  }

  /**
   * Issues a token like an existing one, with the same lifetime. The existing one works until
   * {@code formerUntil} at the latest. Returns null if there is no such token, if it has ended
   * already, or if its application is disabled.
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
          SHORTEN
              .on(connection)
              .set("until", formerUntil)
              .set("merchantId", merchantId)
              .set("prefix", prefix)
              .update();
          String details =
              "for %s, instead of %s, which works until %s".formatted(appid, prefix, formerUntil);
          audit.addFromDirectory(
              connection, merchantId, actor, "token.rotate", Credentials.visible(token), details);
          return token;
        });
  }

  private static boolean copy(
      Connection connection, int merchantId, String appid, String prefix, String token)
      throws SQLException {
    return COPY.on(connection)
            .set("newHash", Credentials.hash(token))
            .set("newPrefix", Credentials.visible(token))
            .set("merchantId", merchantId)
            .set("prefix", prefix)
            .set("appid", appid)
            .update()
        == 1;
  }
}
