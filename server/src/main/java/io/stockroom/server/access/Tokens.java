package io.stockroom.server.access;

import io.stockroom.protocol.Scope;
import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The access tokens that let applications act for merchants. */
public final class Tokens {
  private static final String COLUMNS =
      """
      select t.prefix, a.appid, t.merchant_id, t.bound_store, t.scopes, t.created_at,
             t.expires_at, t.revoked_at
      from access_token t join application a using (application_id)
      """;

  public record Token(
      String prefix,
      String appid,
      int merchantId,
      String boundStore,
      List<String> scopes,
      Instant createdAt,
      @Nullable Instant expiresAt,
      @Nullable Instant revokedAt) {}

  /** What a revocation came to: how many tokens begin so, and the one that is revoked now. */
  public record Revocation(int matching, @Nullable Token token) {}

  private final Database database;
  private final Credentials credentials;

  public Tokens(Database database, Credentials credentials) {
    this.database = database;
    this.credentials = credentials;
  }

  /** Makes a token; gives null where there is no such application. The merchant must exist. */
  public @Nullable String issue(
      String appid,
      int merchantId,
      String boundStore,
      Collection<Scope> scopes,
      @Nullable Instant expiresAt)
      throws SQLException {
    String token = credentials.newToken();
    return database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  insert into access_token
                    (merchant_id, application_id, hash, prefix, bound_store, scopes, expires_at)
                  select ?, application_id, ?, ?, ?, ?, ? from application where appid = ?
                  """)) {
            statement.setInt(1, merchantId);
            statement.setBytes(2, Credentials.hash(token));
            statement.setString(3, Credentials.visible(token));
            statement.setString(4, boundStore);
            statement.setObject(5, scopes.stream().map(Scope::word).toArray(String[]::new));
            statement.setObject(6, expiresAt == null ? null : expiresAt.atOffset(ZoneOffset.UTC));
            statement.setString(7, appid);
            return statement.executeUpdate() == 0 ? null : token;
          }
        });
  }

  /** All tokens, or those of one merchant or application where these are given. */
  public List<Token> all(@Nullable Integer merchantId, @Nullable String appid) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  COLUMNS
                      + """
                        where (?::int is null or t.merchant_id = ?) and (?::text is null or a.appid = ?)
                        order by t.merchant_id, t.token_id
                        """)) {
            statement.setObject(1, merchantId);
            statement.setObject(2, merchantId);
            statement.setString(3, appid);
            statement.setString(4, appid);
            return read(statement);
          }
        });
  }

  /** Revokes the one token that is, or visibly begins with, {@code text}. */
  public Revocation revoke(String text) throws SQLException {
    return database.write(
        connection -> {
          List<Token> matching = matching(connection, text);
          if (matching.size() != 1) {
            return new Revocation(matching.size(), null);
          }
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update access_token set revoked_at = coalesce(revoked_at, now())
                  where merchant_id = ? and prefix = ?
                  """)) {
            statement.setInt(1, matching.getFirst().merchantId);
            statement.setString(2, matching.getFirst().prefix);
            statement.executeUpdate();
          }
          return new Revocation(1, matching(connection, text).getFirst());
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
                List.of((String[]) row.getArray("scopes").getArray()),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                Credentials.instant(row, "expires_at"),
                Credentials.instant(row, "revoked_at")));
      }
    }
    return tokens;
  }
}
