package io.stockroom.core.access;

import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.BatchedRead;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Network;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Sha256;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Looks up callers in the database, and generates secrets and tokens. */
public final class Credentials {
  static final int VISIBLE_CHARACTERS = 12;
  private static final int SECRET_BYTES = 32;

  /** No application has this appid. */
  private static final String DECOY = "";

  private record TokenKey(int merchantId, int tokenId) {}

  /** A caller that cannot be read, such as one with a damaged secret, does not fail the others. */
  private record Found(@Nullable Credential grant, @Nullable RuntimeException unreadable) {
    private static final Found UNKNOWN = new Found(null, null);

    private @Nullable Credential get() {
      if (unreadable != null) {
        throw unreadable;
      }
      return grant;
    }
  }

  /**
   * Returns one row for each key, known or not, so that an unknown caller costs as much as a known
   * one.
   */
  private static final Sql CALLERS =
      Sql.of(
          """
          select k.place, a.application_id, a.secret, a.previous_secret, a.previous_until,
            a.require_hmac, a.require_nonce, a.restrict_md5, a.addresses, a.stopped_at,
            t.merchant_id, t.token_id, t.bound_store, t.scopes, t.expires_at, coalesce(t.revoked_at, m.closed_at) as revoked_at,
            m.suspended_at, m.suspension_reason, m.cell_id, m.limits,
            (select jsonb_object_agg(name, value) from default_limit) as default_limits
          from unnest((select :appids::text[]), (select :hashes::bytea[]))
            with ordinality as k (appid, hash, place)
          left join application a on a.appid = k.appid
          left join access_token t on t.application_id = a.application_id and t.hash = k.hash
          left join merchant m on m.merchant_id = t.merchant_id
          """);

  private static final Sql SAVE_LAST_USES =
      Sql.of(
          """
          update access_token t set last_used_at = greatest(t.last_used_at, u.at)
          from unnest(:merchantIds::int[], :tokenIds::int[], :times::timestamptz[])
            as u (merchant_id, token_id, at)
          where t.merchant_id = u.merchant_id and t.token_id = u.token_id
          """);

  private final Cells cells;

  /** The directory. */
  private final Database database;

  private final SecretBox box;
  private final Settings settings;
  private final SecureRandom random = new SecureRandom();
  private final Map<TokenKey, Instant> lastUses = new ConcurrentHashMap<>();
  private final BatchedRead<Credential.Key, Found> callers;

  /** Decrypted in place of a secret that does not exist. */
  private final byte[] decoy;

  public Credentials(Cells cells, SecretBox box, Settings settings) {
    this.cells = cells;
    this.database = cells.directory();
    this.box = box;
    this.settings = settings;
    this.callers = database.batched(this::read);
    this.decoy = box.seal(randomText(), DECOY);
  }

  /**
   * Returns null if the application is unknown. Concurrent lookups share one statement, which is
   * the same whatever is unknown, so that every rejection takes the same time.
   */
  @Nullable Credential find(Credential.Key key) throws SQLException {
    return callers.get(key).get();
  }

  /** As {@link #find}, for many keys; the result leaves out unknown callers. */
  Map<Credential.Key, Credential> findAll(List<Credential.Key> keys) throws SQLException {
    List<Found> answers = database.read(connection -> read(connection, keys));
    Map<Credential.Key, Credential> found = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      Credential grant = answers.get(i).grant;
      if (grant != null) {
        found.put(keys.get(i), grant);
      }
    }
    return found;
  }

  private List<Found> read(Connection connection, List<Credential.Key> keys) throws SQLException {
    String[] appids = new String[keys.size()];
    byte[][] hashes = new byte[keys.size()][];
    for (int i = 0; i < appids.length; i++) {
      appids[i] = keys.get(i).appid();
      hashes[i] = hash(keys.get(i).accesstoken());
    }
    List<Found> found = new ArrayList<>(Collections.nCopies(appids.length, Found.UNKNOWN));
    CALLERS
        .on(connection)
        .set("appids", appids)
        .set("hashes", hashes)
        .forEach(
            row -> {
              int place = row.getInt("place") - 1;
              found.set(place, found(row, appids[place]));
            });
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
  private @Nullable Credential grant(ResultSet row, String appid) throws SQLException {
    int applicationId = row.getInt("application_id");
    boolean isKnown = !row.wasNull();
    Instant previousUntil = Sql.instantOrNull(row, "previous_until");
    Credential grant =
        new Credential(
            applicationId,
            appid,
            opened(row.getBytes("secret"), appid),
            opened(row.getBytes("previous_secret"), appid),
            previousUntil == null ? Instant.MIN : previousUntil,
            Signing.read(row),
            texts(row, "addresses").stream().map(Network::parse).toList(),
            Sql.instantOrNull(row, "stopped_at"),
            token(row));
    return isKnown ? grant : null;
  }

  private String opened(byte @Nullable [] sealed, String appid) {
    return sealed == null ? box.open(decoy, DECOY) : box.open(sealed, appid);
  }

  private Credential.@Nullable Token token(ResultSet row) throws SQLException {
    int tokenId = row.getInt("token_id");
    boolean isKnown = !row.wasNull();
    String boundStore = row.getString("bound_store");
    Credential.Token token =
        new Credential.Token(
            row.getInt("merchant_id"),
            tokenId,
            boundStore == null ? "" : boundStore,
            scopes(texts(row, "scopes")),
            Limits.of(settings, MerchantLimits.readDefaults(row), MerchantLimits.read(row)),
            Sql.instantOrNull(row, "expires_at"),
            Sql.instantOrNull(row, "revoked_at"),
            suspension(row));
    if (!isKnown) {
      return null;
    }
    cells.place(token.merchantId(), row.getInt("cell_id"));
    return token;
  }

  private static Credential.@Nullable Suspension suspension(ResultSet row) throws SQLException {
    Instant since = Sql.instantOrNull(row, "suspended_at");
    return since == null
        ? null
        : new Credential.Suspension(since, row.getString("suspension_reason"));
  }

  /** Whether the data of merchants is in other databases than the directory. */
  boolean hasOtherDatabases() {
    return !cells.isSingle();
  }

  /** Records that a token is in use; {@link #saveLastUses} stores it. */
  void used(int merchantId, int tokenId, Instant now) {
    lastUses.put(new TokenKey(merchantId, tokenId), now);
  }

  /** Stores when tokens were last used, in one statement for all of them. */
  public void saveLastUses() throws SQLException {
    Map<TokenKey, Instant> uses = Map.copyOf(lastUses);
    if (uses.isEmpty()) {
      return;
    }
    List<TokenKey> keys = List.copyOf(uses.keySet());
    database.write(
        connection ->
            SAVE_LAST_USES
                .on(connection)
                .set("merchantIds", keys.stream().mapToInt(TokenKey::merchantId).toArray())
                .set("tokenIds", keys.stream().mapToInt(TokenKey::tokenId).toArray())
                .set(
                    "times",
                    keys.stream().map(key -> String.valueOf(uses.get(key))).toArray(String[]::new))
                .update());
    uses.forEach(lastUses::remove);
  }

  /** A public name for an application that is easy to read aloud. */
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
   * Blocks key rotations until the transaction ends, so that what it encrypts uses a current key,
   * even if another node has rotated before.
   */
  public void holdKey(Connection connection) throws SQLException {
    AdvisoryLock.SECRET_KEY.holdShared(connection);
    box.reload();
  }

  /** Waits for transactions that encrypt, and blocks new ones until this transaction ends. */
  public void holdKeyAlone(Connection connection) throws SQLException {
    AdvisoryLock.SECRET_KEY.hold(connection);
    box.reload();
  }

  /** Encrypts a secret for the database; call {@link #holdKey} before. */
  public byte[] seal(String secret, String owner) {
    return box.seal(secret, owner);
  }

  public String open(byte[] sealed, String owner) {
    return box.open(sealed, owner);
  }

  /** The part of a token that may be shown: enough to recognize it, too little to use it. */
  public static String visible(String token) {
    return token.substring(0, Math.min(token.length(), VISIBLE_CHARACTERS));
  }

  /** The hash under which a token is stored. */
  public static byte[] hash(String token) {
    return Sha256.of(token);
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

  /** A {@code text[]}; empty if the column is null. */
  private static List<String> texts(ResultSet row, String column) throws SQLException {
    return row.getObject(column) == null ? List.of() : Sql.texts(row, column);
  }
}
