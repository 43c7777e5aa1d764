package io.stockroom.server.access;

import io.stockroom.protocol.Scope;
import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The access tokens that let applications act for merchants. */
public final class Tokens {
  private static final String COLUMNS =
      """
      select t.prefix, a.appid, t.merchant_id, t.bound_store, t.scopes, t.created_at,
             t.expires_at, t.revoked_at, t.last_used_at, t.restored_at
      from access_token t join application a using (application_id)
      """;

  /** Of a token that works and that a restore has brought back. */
  private static final String UNREVIEWED =
      """
      t.restored_at is not null and t.revoked_at is null and coalesce(t.expires_at > now(), true)
      """;

  /**
   * One token.
   *
   * @param restoredAt when it came back with a restore, as long as nobody has reviewed it since
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

  /** What became of the one token that was named: how many begin so, and it as it is now. */
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
   * Makes a token; gives null where there is no such application, or where it is stopped. The
   * merchant must exist.
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
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  insert into access_token
                    (merchant_id, application_id, hash, prefix, bound_store, scopes, expires_at)
                  select ?, application_id, ?, ?, ?, ?, ? from application
                  where appid = ? and stopped_at is null
                  """)) {
            statement.setInt(1, merchantId);
            statement.setBytes(2, Credentials.hash(token));
            statement.setString(3, Credentials.visible(token));
            statement.setString(4, boundStore);
            statement.setObject(5, scopes.stream().map(Scope::word).toArray(String[]::new));
            statement.setObject(6, Credentials.time(expiresAt));
            statement.setString(7, appid);
            if (statement.executeUpdate() == 0) {
              return null;
            }
          }
          String details =
              "for %s, store '%s', expires %s, %s"
                  .formatted(
                      appid,
                      boundStore,
                      expiresAt == null ? "never" : expiresAt,
                      scopes.stream().map(Scope::word).collect(Collectors.joining(" ")));
          audit.add(
              connection, merchantId, actor, "token.issue", Credentials.visible(token), details);
          return token;
        });
  }

  /** All tokens, or those of one merchant or application where these are given. */
  public List<Token> all(@Nullable Integer merchantId, @Nullable String appid) throws SQLException {
    return all(merchantId, appid, false);
  }

  /**
   * As {@link #all(Integer, String)}.
   *
   * @param unreviewed whether only those that work, came back with a restore and were not reviewed
   */
  public List<Token> all(@Nullable Integer merchantId, @Nullable String appid, boolean unreviewed)
      throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  COLUMNS
                      + """
                        where (?::int is null or t.merchant_id = ?) and (?::text is null or a.appid = ?)
                          and (not ? or %s)
                        order by t.merchant_id, t.token_id
                        """
                          .formatted(UNREVIEWED))) {
            statement.setObject(1, merchantId);
            statement.setObject(2, merchantId);
            statement.setString(3, appid);
            statement.setString(4, appid);
            statement.setBoolean(5, unreviewed);
            return read(statement);
          }
        });
  }

  /** The token that is {@code token}, wholly; null where there is none. */
  public @Nullable Token find(String token) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(COLUMNS + "where t.hash = ?")) {
            statement.setBytes(1, Credentials.hash(token));
            List<Token> found = read(statement);
            return found.isEmpty() ? null : found.getFirst();
          }
        });
  }

  /** Revokes the one token that is, or visibly begins with, {@code text}. */
  public Change revoke(String text, Actor actor) throws SQLException {
    return change(text, actor, "token.revoke", "revoked_at = coalesce(revoked_at, now())");
  }

  /**
   * Notes that somebody has looked at a restored token, named as for {@link #revoke}: it may stay.
   */
  public Change review(String text, Actor actor) throws SQLException {
    return change(text, actor, "token.review", "restored_at = null");
  }

  private Change change(String text, Actor actor, String action, String set) throws SQLException {
    return database.write(
        connection -> {
          List<Token> matching = matching(connection, text);
          if (matching.size() != 1) {
            return new Change(matching.size(), null);
          }
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "update access_token set " + set + " where merchant_id = ? and prefix = ?")) {
            statement.setInt(1, matching.getFirst().merchantId);
            statement.setString(2, matching.getFirst().prefix);
            statement.executeUpdate();
          }
          Token changed = matching(connection, text).getFirst();
          audit.add(connection, changed.merchantId, actor, action, changed.prefix, changed.appid);
          return new Change(1, changed);
        });
  }

  /**
   * Notes that every restored token of a merchant, or of all, may stay; says how many these are.
   */
  public int reviewAll(@Nullable Integer merchantId, Actor actor) throws SQLException {
    return database.write(
        connection -> {
          List<Token> reviewed;
          try (PreparedStatement statement =
              connection.prepareStatement(
                  COLUMNS
                      + """
                        where %s and (?::int is null or t.merchant_id = ?)
                        order by t.merchant_id, t.token_id for no key update of t
                        """
                          .formatted(UNREVIEWED))) {
            statement.setObject(1, merchantId);
            statement.setObject(2, merchantId);
            reviewed = read(statement);
          }
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update access_token t set restored_at = null
                  where %s and (?::int is null or t.merchant_id = ?)
                  """
                      .formatted(UNREVIEWED))) {
            statement.setObject(1, merchantId);
            statement.setObject(2, merchantId);
            statement.executeUpdate();
          }
          // chains are held in the order of merchants, so that two of these never wait in a circle
          for (Token token : reviewed) {
            audit.add(
                connection, token.merchantId, actor, "token.review", token.prefix, token.appid);
          }
          return reviewed.size();
        });
  }

  private static List<Token> matching(Connection connection, String text) throws SQLException {
    boolean whole = text.length() > Credentials.VISIBLE_CHARACTERS;
    String condition = whole ? "where t.hash = ?" : "where starts_with(t.prefix, ?)";
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS + condition)) {
      if (whole) {
        statement.setBytes(1, Credentials.hash(text));
      } else {
        statement.setString(1, text);
      }
      return read(statement);
    }
  }

  private static List<Token> read(PreparedStatement statement) throws SQLException {
    List<Token> tokens = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        tokens.add(
            new Token(
                row.getString("prefix"),
                row.getString("appid"),
                row.getInt("merchant_id"),
                row.getString("bound_store"),
                Credentials.texts(row, "scopes"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                Credentials.instant(row, "expires_at"),
                Credentials.instant(row, "revoked_at"),
                Credentials.instant(row, "last_used_at"),
                Credentials.instant(row, "restored_at")));
      }
    }
    return tokens;
  }
}
