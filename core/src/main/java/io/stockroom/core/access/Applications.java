package io.stockroom.core.access;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The programs that call the interface, and the lifecycle of their secrets. */
public final class Applications {
  private static final String COLUMNS =
      """
      appid, name, created_at, require_hmac, require_nonce, restrict_md5, addresses,
      case when previous_until > now() then previous_until end as previous_until, stopped_at
      """;

  private static final Sql CREATE =
      Sql.of(
          """
          insert into application (appid, name, secret, restrict_md5)
          values (:appid, :name, :secret, :restrictMd5)
          returning\s"""
              + COLUMNS);

  private static final Sql ALL =
      Sql.of("select " + COLUMNS + " from application order by application_id");

  private static final Sql FIND =
      Sql.of("select " + COLUMNS + " from application where appid = :appid");

  private static final Sql ROTATE =
      Sql.of(
          """
          update application
          set previous_secret = secret, previous_until = :previousUntil, secret = :secret
          where appid = :appid
          """);

  private static final Sql END_PREVIOUS_SECRET =
      Sql.of(
          """
          update application set previous_until = now()
          where appid = :appid and previous_until > now()
          """);

  private static final Sql CHANGE =
      Sql.of(
          """
          update application
          set require_hmac = coalesce(:requireHmac, require_hmac),
              require_nonce = coalesce(:requireNonce, require_nonce),
              restrict_md5 = coalesce(:restrictMd5, restrict_md5),
              addresses = coalesce(:addresses, addresses)
          where appid = :appid
          """);

  private static final Sql RENAME =
      Sql.of("update application set name = :name where appid = :appid");

  private static final Sql SET_STOPPED =
      Sql.of(
          """
          update application set stopped_at = case when :stopped then now() end
          where appid = :appid and (stopped_at is not null) <> :stopped
          """);

  private static final Sql LOCK_SECRETS =
      Sql.of(
          """
          select application_id, appid, secret, previous_secret from application
          order by application_id for update
          """);

  private static final Sql RESEAL =
      Sql.of(
          """
          update application set secret = :secret, previous_secret = :previousSecret
          where application_id = :applicationId
          """);

  /**
   * One application.
   *
   * @param stoppedAt since when it is disabled: its calls are rejected, and it gets no token; null
   *     if it is active
   */
  public record Application(
      String appid,
      String name,
      Instant createdAt,
      Signing signing,
      List<String> addresses,
      @Nullable Instant previousSecretUntil,
      @Nullable Instant stoppedAt) {
    public boolean isStopped() {
      return stoppedAt != null;
    }
  }

  /** An application with a new secret, which is shown only once. */
  public record WithSecret(Application application, String secret) {
    @Override
    public String toString() {
      return "WithSecret[" + application + "]";
    }
  }

  private final Database database;
  private final Credentials credentials;
  private final Audit audit;

  public Applications(Database database, Credentials credentials, Audit audit) {
    this.database = database;
    this.credentials = credentials;
    this.audit = audit;
  }

  public WithSecret create(String name, Actor actor) throws SQLException {
    return create(name, false, actor);
  }

  /**
   * Creates an application.
   *
   * @param restrictMd5 whether MD5 signatures are refused for webhooks and imports
   */
  public WithSecret create(String name, boolean restrictMd5, Actor actor) throws SQLException {
    String appid = credentials.newAppid();
    String secret = credentials.newSecret();
    return database.write(
        connection -> {
          credentials.holdKey(connection);
          Application application =
              CREATE
                  .on(connection)
                  .set("appid", appid)
                  .set("name", name)
                  .set("secret", credentials.seal(secret, appid))
                  .set("restrictMd5", restrictMd5)
                  .one(Applications::read);
          audit.addFromDirectory(
              connection, Audit.SERVER, actor, "application.create", appid, name);
          return new WithSecret(application, secret);
        });
  }

  public List<Application> all() throws SQLException {
    return database.read(connection -> ALL.on(connection).list(Applications::read));
  }

  public @Nullable Application find(String appid) throws SQLException {
    return database.read(connection -> find(connection, appid));
  }

  /**
   * Gives the application a new secret. The current one works until {@code previousUntil}; an older
   * one stops working. Returns null if there is no such application.
   */
  public @Nullable WithSecret rotate(String appid, Instant previousUntil, Actor actor)
      throws SQLException {
    String secret = credentials.newSecret();
    return database.write(
        connection -> {
          credentials.holdKey(connection);
          ROTATE
              .on(connection)
              .set("previousUntil", previousUntil)
              .set("secret", credentials.seal(secret, appid))
              .set("appid", appid)
              .update();
          Application application = find(connection, appid);
          if (application == null) {
            return null;
          }
          audit.addFromDirectory(
              connection,
              Audit.SERVER,
              actor,
              "application.rotate",
              appid,
              "the former secret works until " + previousUntil);
          return new WithSecret(application, secret);
        });
  }

  /** Ends the previous secret now; returns null if there is no such application. */
  public @Nullable Application endFormerSecret(String appid, Actor actor) throws SQLException {
    return database.write(
        connection -> {
          if (END_PREVIOUS_SECRET.on(connection).set("appid", appid).update() > 0) {
            audit.addFromDirectory(
                connection, Audit.SERVER, actor, "application.end-former", appid, "");
          }
          return find(connection, appid);
        });
  }

  /** Changes what is not null; returns null if there is no such application. */
  public @Nullable Application change(
      String appid, Signing.Change signing, @Nullable List<String> addresses, Actor actor)
      throws SQLException {
    return database.write(
        connection -> {
          signing
              .in(CHANGE.on(connection))
              .set("addresses", addresses == null ? null : addresses.toArray(String[]::new))
              .set("appid", appid)
              .update();
          Application application = find(connection, appid);
          if (application != null) {
            Signing now = application.signing;
            String details =
                "require HMAC: %s, require nonce: %s, restrict MD5: %s, addresses: %s"
                    .formatted(
                        now.requireHmac(),
                        now.requireNonce(),
                        now.restrictMd5(),
                        application.addresses);
            audit.addFromDirectory(
                connection, Audit.SERVER, actor, "application.change", appid, details);
          }
          return application;
        });
  }

  /** Changes its name; returns null if there is no such application. */
  public @Nullable Application rename(String appid, String name, Actor actor) throws SQLException {
    Application former = find(appid);
    if (former == null || former.name.equals(name)) {
      return former;
    }
    return database.write(
        connection -> {
          RENAME.on(connection).set("name", name).set("appid", appid).update();
          audit.addFromDirectory(
              connection,
              Audit.SERVER,
              actor,
              "application.rename",
              appid,
              former.name + " → " + name);
          return find(connection, appid);
        });
  }

  /**
   * Disables or enables the application; every node applies it within a second. Its tokens are
   * kept. Returns null if there is no such application.
   */
  public @Nullable Application setStopped(String appid, boolean stopped, Actor actor)
      throws SQLException {
    return database.write(
        connection -> {
          int changed =
              SET_STOPPED.on(connection).set("stopped", stopped).set("appid", appid).update();
          if (changed > 0) {
            String action = stopped ? "application.stop" : "application.resume";
            audit.addFromDirectory(connection, Audit.SERVER, actor, action, appid, "");
          }
          return find(connection, appid);
        });
  }

  /** Encrypts every secret again, with the newest key. */
  int reseal(Connection connection, int others, Actor actor) throws SQLException {
    List<Sealed> all = LOCK_SECRETS.on(connection).list(Applications::sealed);
    try (Sql.Batch batch = RESEAL.batch(connection)) {
      for (Sealed one : all) {
        batch
            .set("applicationId", one.applicationId)
            .set("secret", reseal(one.secret, one.appid))
            .set("previousSecret", one.previous == null ? null : reseal(one.previous, one.appid))
            .add();
      }
      batch.run();
    }
    int resealed = others + all.size();
    audit.addFromDirectory(
        connection, Audit.SERVER, actor, "key.rotate", "secret key", resealed + " resealed");
    return resealed;
  }

  private record Sealed(
      int applicationId, String appid, byte[] secret, byte @Nullable [] previous) {}

  private static Sealed sealed(ResultSet row) throws SQLException {
    return new Sealed(
        row.getInt("application_id"),
        row.getString("appid"),
        row.getBytes("secret"),
        row.getBytes("previous_secret"));
  }

  private byte[] reseal(byte[] box, String appid) {
    return credentials.seal(credentials.open(box, appid), appid);
  }

  private static @Nullable Application find(Connection connection, String appid)
      throws SQLException {
    return FIND.on(connection).set("appid", appid).first(Applications::read);
  }

  private static Application read(ResultSet row) throws SQLException {
    return new Application(
        row.getString("appid"),
        row.getString("name"),
        Sql.instant(row, "created_at"),
        Signing.read(row),
        Sql.texts(row, "addresses"),
        Sql.instantOrNull(row, "previous_until"),
        Sql.instantOrNull(row, "stopped_at"));
  }
}
