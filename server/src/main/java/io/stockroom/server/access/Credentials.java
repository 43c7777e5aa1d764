package io.stockroom.server.access;

import io.stockroom.protocol.Scope;
import io.stockroom.server.database.AdvisoryLock;
import io.stockroom.server.database.BatchedRead;
import io.stockroom.server.database.Database;
import io.stockroom.server.settings.Limits;
import io.stockroom.server.settings.Network;
import io.stockroom.server.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Finds what the database knows of a caller, and makes secrets and tokens. */
public final class Credentials {
  static final int VISIBLE_CHARACTERS = 12;
  private static final int SECRET_BYTES = 32;

  /** No application has this name. */
  private static final String DECOY = "";

  private record TokenKey(int merchantId, int tokenId) {}

  /** One who cannot be read, such as one with a damaged secret, is the failure of nobody else. */
  private record Found(@Nullable StoredCredential grant, @Nullable RuntimeException unreadable) {
    private static final Found NOBODY = new Found(null, null);

    private @Nullable StoredCredential get() {
      if (unreadable != null) {
        throw unreadable;
      }
      return grant;
    }
  }

  private static final String COLUMNS =
      """
      a.application_id, a.secret, a.previous_secret, a.previous_until, a.require_hmac,
      a.addresses, a.stopped_at, t.merchant_id, t.token_id, t.bound_store, t.scopes, t.expires_at,
      t.revoked_at, l.names, l.texts
      """;

  /** The limits that are set for the merchant alone. */
  private static final String OVERRIDES =
      """
      left join merchant m on m.merchant_id = t.merchant_id
      left join lateral (
        select array_agg(key) as names, array_agg(value) as texts from jsonb_each_text(m.limits)
      ) l on true
      """;

  /** One row for each, known or not: what is unknown costs as much as what is known. */
  private static final String CALLERS =
      """
      select k.place, %s
      from unnest(?::text[], ?::bytea[]) with ordinality as k (appid, hash, place)
      left join application a on a.appid = k.appid
      left join access_token t on t.application_id = a.application_id and t.hash = k.hash
      %s
      """
          .formatted(COLUMNS, OVERRIDES);

  private final Database database;
  private final SecretBox box;
  private final Settings settings;
  private final SecureRandom random = new SecureRandom();
  private final Map<TokenKey, Instant> lastUses = new ConcurrentHashMap<>();
  private final BatchedRead<CredentialCache.Key, Found> callers;

  /** Opened in the place of a secret that is not there. */
  private final byte[] decoy;

  public Credentials(Database database, SecretBox box, Settings settings) {
    this.database = database;
    this.box = box;
    this.settings = settings;
    this.callers = database.batched(this::read);
    this.decoy = box.seal(randomText(), DECOY);
  }

  /**
   * Null where nobody knows the application. All who ask at the same time share a statement, the
   * same whatever is unknown, so that every refusal costs the same.
   */
  @Nullable StoredCredential find(CredentialCache.Key key) throws SQLException {
    return callers.get(key).get();
  }

  /** As {@link #find}, of many at once; whom nobody knows is not in it. */
  Map<CredentialCache.Key, StoredCredential> findAll(List<CredentialCache.Key> keys)
      throws SQLException {
    List<Found> answers = database.read(connection -> read(connection, keys));
    Map<CredentialCache.Key, StoredCredential> found = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      StoredCredential grant = answers.get(i).grant;
      if (grant != null) {
        found.put(keys.get(i), grant);
      }
    }
    return found;
  }

  private List<Found> read(Connection connection, List<CredentialCache.Key> keys)
      throws SQLException {
    String[] appids = new String[keys.size()];
    byte[][] hashes = new byte[keys.size()][];
    for (int i = 0; i < appids.length; i++) {
      appids[i] = keys.get(i).appid();
      hashes[i] = hash(keys.get(i).accesstoken());
    }
    List<Found> found = new ArrayList<>(Collections.nCopies(appids.length, Found.NOBODY));
    try (PreparedStatement statement = connection.prepareStatement(CALLERS)) {
      statement.setObject(1, appids);
      statement.setObject(2, hashes);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          int place = row.getInt("place") - 1;
          found.set(place, found(row, appids[place]));
        }
      }
    }
    return found;
  }

  private Found found(ResultSet row, String appid) throws SQLException {
    try {
      return new Found(grant(row, appid), null);
    } catch (RuntimeException unreadable) {
      return new Found(null, unreadable);
    }
  }

  /** Does the same work for an unknown application, an unknown token and a known one. */
  private @Nullable StoredCredential grant(ResultSet row, String appid) throws SQLException {
    int applicationId = row.getInt("application_id");
    boolean isKnown = !row.wasNull();
    Instant previousUntil = instant(row, "previous_until");
    StoredCredential grant =
        new StoredCredential(
            applicationId,
            appid,
            opened(row.getBytes("secret"), appid),
            opened(row.getBytes("previous_secret"), appid),
            previousUntil == null ? Instant.MIN : previousUntil,
            row.getBoolean("require_hmac"),
            texts(row, "addresses").stream().map(Network::parse).toList(),
            instant(row, "stopped_at"),
            token(row));
    return isKnown ? grant : null;
  }

  private String opened(byte @Nullable [] sealed, String appid) {
    return sealed == null ? box.open(decoy, DECOY) : box.open(sealed, appid);
  }

  private StoredCredential.@Nullable Token token(ResultSet row) throws SQLException {
    int tokenId = row.getInt("token_id");
    boolean isKnown = !row.wasNull();
    Map<String, String> overrides = new HashMap<>();
    List<String> names = texts(row, "names");
    List<String> values = texts(row, "texts");
    for (int i = 0; i < names.size(); i++) {
      overrides.put(names.get(i), values.get(i));
    }
    String boundStore = row.getString("bound_store");
    StoredCredential.Token token =
        new StoredCredential.Token(
            row.getInt("merchant_id"),
            tokenId,
            boundStore == null ? "" : boundStore,
            scopes(texts(row, "scopes")),
            Limits.of(settings, overrides),
            instant(row, "expires_at"),
            instant(row, "revoked_at"));
    return isKnown ? token : null;
  }

  /** Notes that a token is in use; {@link #saveLastUses} writes it down. */
  void used(int merchantId, int tokenId, Instant now) {
    lastUses.put(new TokenKey(merchantId, tokenId), now);
  }

  /** Writes down when tokens were last used: one statement for all of them, now and then. */
  public void saveLastUses() throws SQLException {
    Map<TokenKey, Instant> uses = Map.copyOf(lastUses);
    if (uses.isEmpty()) {
      return;
    }
    List<TokenKey> keys = List.copyOf(uses.keySet());
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  update access_token t set last_used_at = greatest(t.last_used_at, u.at)
                  from unnest(?::int[], ?::int[], ?::timestamptz[]) as u (merchant_id, token_id, at)
                  where t.merchant_id = u.merchant_id and t.token_id = u.token_id
                  """)) {
            statement.setObject(1, keys.stream().mapToInt(TokenKey::merchantId).toArray());
            statement.setObject(2, keys.stream().mapToInt(TokenKey::tokenId).toArray());
            statement.setObject(
                3, keys.stream().map(key -> String.valueOf(uses.get(key))).toArray(String[]::new));
            return statement.executeUpdate();
          }
        });
    uses.forEach(lastUses::remove);
  }

  /** A name by which an application is known: not secret, and easy to read aloud. */
  String newAppid() {
    return "app_" + Long.toString((random.nextLong() & Long.MAX_VALUE) | (1L << 62), 36);
  }

  String newSecret() {
    return randomText();
  }

  String newToken() {
    return "srt_" + randomText();
  }

  /**
   * Lets no rotation of the key pass until the transaction ends, so that what is sealed in it is
   * sealed with a key that stays, even where another node has rotated before.
   */
  public void holdKey(Connection connection) throws SQLException {
    AdvisoryLock.SECRET_KEY.holdShared(connection);
    box.reload();
  }

  /** Waits until nobody seals, and lets nobody seal until the transaction ends. */
  static void holdKeyAlone(Connection connection) throws SQLException {
    AdvisoryLock.SECRET_KEY.hold(connection);
  }

  /** Encrypts a secret for the database; call {@link #holdKey} before. */
  public byte[] seal(String secret, String owner) {
    return box.seal(secret, owner);
  }

  public String open(byte[] sealed, String owner) {
    return box.open(sealed, owner);
  }

  /** What of a token may be shown: enough to recognise it, far too little to use it. */
  public static String visible(String token) {
    return token.substring(0, Math.min(token.length(), VISIBLE_CHARACTERS));
  }

  /** By which a token is known. */
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

  private static Set<Scope> scopes(List<String> words) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String word : words) {
      Scope.of(word).ifPresent(scopes::add);
    }
    return scopes;
  }

  static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
  }

  static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  static @Nullable OffsetDateTime time(@Nullable Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
  }
}
