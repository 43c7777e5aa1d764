package io.stockroom.server.access;

import io.stockroom.protocol.Scope;
import io.stockroom.server.database.Database;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what the database knows of a caller, and makes secrets and tokens. */
public final class Credentials {
  static final int VISIBLE_CHARACTERS = 12;
  private static final int SECRET_BYTES = 32;

  private final Database database;
  private final SecretBox box;
  private final SecureRandom random = new SecureRandom();

  public Credentials(Database database, SecretBox box) {
    this.database = database;
    this.box = box;
  }

  /** One statement, whatever is unknown, so that every refusal costs the same. */
  @Nullable Grant find(String appid, String accesstoken) throws SQLException {
    byte[] hash = hash(accesstoken);
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select a.application_id, a.secret, t.merchant_id, t.token_id, t.bound_store,
                         t.scopes, t.expires_at, t.revoked_at
                  from application a
                  left join access_token t
                    on t.application_id = a.application_id and t.hash = ?
                  where a.appid = ?
                  """)) {
            statement.setBytes(1, hash);
            statement.setString(2, appid);
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? grant(row, appid) : null;
            }
          }
        });
  }

  private Grant grant(ResultSet row, String appid) throws SQLException {
    String secret = box.open(row.getBytes("secret"), appid);
    int tokenId = row.getInt("token_id");
    if (row.wasNull()) {
      return new Grant(secret, null);
    }
    Caller caller =
        new Caller(
            row.getInt("merchant_id"),
            row.getInt("application_id"),
            tokenId,
            row.getString("bound_store"));
    return new Grant(
        secret,
        new Grant.Token(
            caller,
            scopes((String[]) row.getArray("scopes").getArray()),
            instant(row, "expires_at"),
            instant(row, "revoked_at")));
  }

  /** A name by which an application is known: not secret, and easy to read aloud. */
  public String newAppid() {
    return "app_" + Long.toString((random.nextLong() & Long.MAX_VALUE) | (1L << 62), 36);
  }

  public String newSecret() {
    return randomText();
  }

  public String newToken() {
    return "srt_" + randomText();
  }

  public byte[] seal(String secret, String appid) {
    return box.seal(secret, appid);
  }

  /** What of a token may be shown: enough to recognise it, far too little to use it. */
  public static String visible(String token) {
    return token.substring(0, Math.min(token.length(), VISIBLE_CHARACTERS));
  }

  public static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private String randomText() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static Set<Scope> scopes(String[] words) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String word : words) {
      Scope.of(word).ifPresent(scopes::add);
    }
    return scopes;
  }

  static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
