package io.stockroom.core.access;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Scope;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The access tokens that let applications act for merchants. */
public final class Tokens {
  private static final String SELECT =
      """
      select t.prefix, a.appid, t.merchant_id, t.bound_store, t.scopes, t.created_at,
             t.expires_at, t.revoked_at, t.last_used_at, t.restored_at
      from access_token t join application a using (application_id)
      """;

  /** True for an active token that came back with a restore. */
  private static final String UNREVIEWED =
      """
      t.restored_at is not null and t.revoked_at is null and coalesce(t.expires_at > now(), true)
      """;

  private static final Sql ISSUE =
      Sql.of(
          """
          insert into access_token
            (merchant_id, application_id, hash, prefix, bound_store, scopes, expires_at)
          select :merchantId, application_id, :hash, :prefix, :boundStore, :scopes,
            :expiresAt::timestamptz
          from application where appid = :appid and stopped_at is null
            and exists (
              select 1 from merchant where merchant_id = :merchantId and closed_at is null)
          """);

  private static final Sql LIST =
      Sql.of(
          SELECT
              + """
                where (:merchantId::int is null or t.merchant_id = :merchantId)
                  and (:appid::text is null or a.appid = :appid)
                  and (not :unreviewed or %s)
                order by t.merchant_id, t.token_id
                """
                  .formatted(UNREVIEWED));

  private static final Sql WITH_HASH = Sql.of(SELECT + "where t.hash = :hash");

  private static final Sql WITH_PREFIX = Sql.of(SELECT + "where starts_with(t.prefix, :prefix)");

  private static final Sql REVOKE =
      Sql.of(
          """
          update access_token set revoked_at = coalesce(revoked_at, now())
          where merchant_id = :merchantId and prefix = :prefix
          """);

  private static final Sql REVIEW =
      Sql.of(
          """
          update access_token set restored_at = null
          where merchant_id = :merchantId and prefix = :prefix
          """);

  private static final Sql LOCK_UNREVIEWED =
      Sql.of(
          SELECT
              + """
                where %s and (:merchantId::int is null or t.merchant_id = :merchantId)
                order by t.merchant_id, t.token_id for no key update of t
                """
                  .formatted(UNREVIEWED));

  private static final Sql REVIEW_ALL =
      Sql.of(
          """
          update access_token t set restored_at = null
          where %s and (:merchantId::int is null or t.merchant_id = :merchantId)
          """
              .formatted(UNREVIEWED));

  /**
   * One token.
   *
   * @param restoredAt when a restore brought it back; null once somebody has reviewed it
   */
  public record Token(
      String prefix,
      String appid,
      int merchantId,
      String boundStore,
      List<String> scopes,
      Instant createdAt,
      @Nullable Instant expiresAt,
      @Nullable Instant revokedAt,
      @Nullable Instant lastUsedAt,
      @Nullable Instant restoredAt) {}

  /** The result of a change: how many tokens match, and the changed token if exactly one does. */
  public record Change(int matching, @Nullable Token token) {}

  private final Database database;
  private final Credentials credentials;
  private final Audit audit;

  public Tokens(Database database, Credentials credentials, Audit audit) {
    this.database = database;
    this.credentials = credentials;
    this.audit = audit;
  }

  /**
   * Issues a token; returns null if there is no such application or merchant, if the application is
   * stopped, or if the merchant is closed.
   */
  public @Nullable String issue(
      String appid,
      int merchantId,
      String boundStore,
      Collection<Scope> scopes,
      @Nullable Instant expiresAt,
      Actor actor)
      throws SQLException {
    String token = credentials.newToken();
    return database.write(
        connection -> {
          int issued =
              ISSUE
                  .on(connection)
                  .set("merchantId", merchantId)
                  .set("hash", Credentials.hash(token))
                  .set("prefix", Credentials.visible(token))
                  .set("boundStore", boundStore)
                  .set("scopes", scopes.stream().map(Scope::word).toArray(String[]::new))
                  .set("expiresAt", expiresAt)
                  .set("appid", appid)
                  .update();
          if (issued == 0) {
            return null;
          }
          String details =
              "for %s, store '%s', expires %s, %s"
                  .formatted(
                      appid,
                      boundStore,
                      expiresAt == null ? "never" : expiresAt,
                      scopes.stream().map(Scope::word).collect(Collectors.joining(" ")));
          audit.addFromDirectory(
              connection, merchantId, actor, "token.issue", Credentials.visible(token), details);
          return token;
        });
  }

  /** All tokens, or those of one merchant or application if given. */
  public List<Token> all(@Nullable Integer merchantId, @Nullable String appid) throws SQLException {
    return all(merchantId, appid, false);
  }

  /**
   * As {@link #all(Integer, String)}.
   *
   * @param unreviewed whether to list only active tokens that a restore brought back and that
   *     nobody has reviewed
   */
  public List<Token> all(@Nullable Integer merchantId, @Nullable String appid, boolean unreviewed)
      throws SQLException {
    return database.read(
        connection ->
            LIST.on(connection)
                .set("merchantId", merchantId)
                .set("appid", appid)
                .set("unreviewed", unreviewed)
                .list(Tokens::read));
  }

  /** Finds a token by its whole text; null if there is none. */
  public @Nullable Token find(String token) throws SQLException {
    return database.read(
        connection ->
            WITH_HASH.on(connection).set("hash", Credentials.hash(token)).first(Tokens::read));
  }

  /** Revokes the one token that is, or visibly begins with, {@code text}. */
  public Change revoke(String text, Actor actor) throws SQLException {
    return change(text, actor, "token.revoke", REVOKE);
  }

  /** Marks a restored token, named as for {@link #revoke}, as reviewed: it may stay. */
  public Change review(String text, Actor actor) throws SQLException {
    return change(text, actor, "token.review", REVIEW);
  }

  private Change change(String text, Actor actor, String action, Sql update) throws SQLException {
    return database.write(
        connection -> {
          List<Token> matching = matching(connection, text);
          if (matching.size() != 1) {
            return new Change(matching.size(), null);
          }
          update
              .on(connection)
              .set("merchantId", matching.getFirst().merchantId)
              .set("prefix", matching.getFirst().prefix)
              .update();
          Token changed = matching(connection, text).getFirst();
          audit.addFromDirectory(
              connection, changed.merchantId, actor, action, changed.prefix, changed.appid);
          return new Change(1, changed);
        });
  }

  /** Marks the restored tokens of one merchant, or of all, as reviewed; returns how many. */
  public int reviewAll(@Nullable Integer merchantId, Actor actor) throws SQLException {
    return database.write(
        connection -> {
          List<Token> reviewed =
              LOCK_UNREVIEWED.on(connection).set("merchantId", merchantId).list(Tokens::read);
          REVIEW_ALL.on(connection).set("merchantId", merchantId).update();
          // audit chains are locked in the order of merchants, so that two reviews never deadlock
          for (Token token : reviewed) {
            audit.addFromDirectory(
                connection, token.merchantId, actor, "token.review", token.prefix, token.appid);
          }
          return reviewed.size();
        });
  }

  private static List<Token> matching(Connection connection, String text) throws SQLException {
    boolean whole = text.length() > Credentials.VISIBLE_CHARACTERS;
    return whole
        ? WITH_HASH.on(connection).set("hash", Credentials.hash(text)).list(Tokens::read)
        : WITH_PREFIX.on(connection).set("prefix", text).list(Tokens::read);
  }

  private static Token read(ResultSet row) throws SQLException {
    return new Token(
        row.getString("prefix"),
        row.getString("appid"),
        row.getInt("merchant_id"),
        row.getString("bound_store"),
        Sql.texts(row, "scopes"),
        Sql.instant(row, "created_at"),
        Sql.instantOrNull(row, "expires_at"),
        Sql.instantOrNull(row, "revoked_at"),
        Sql.instantOrNull(row, "last_used_at"),
        Sql.instantOrNull(row, "restored_at"));
  }
}
