package io.stockroom.core.access;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.database.Database;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Rotates the key that encrypts secrets. At every step each secret can be decrypted with a key in
 * the file, so a rotation can stop anywhere and run again. It locks the key exclusively while it
 * changes the file, which keeps out other rotations and new secrets.
 */
public final class KeyRotation {
  private record Resealed(int secrets, String key) {}

  /** Further secrets that the key encrypts. */
  public interface Others {
    /** Encrypts them again, with the newest key; returns how many there are. */
    int reseal(Connection connection) throws SQLException;
  }

  private final Database database;
  private final SecretKeys keys;
  private final SecretBox box;
  private final Applications applications;
  private final Others others;

  public KeyRotation(
      Database database, SecretKeys keys, SecretBox box, Applications applications, Others others) {
    this.database = database;
    this.keys = keys;
    this.box = box;
    this.applications = applications;
    this.others = others;
  }

  /** Whether there is a new key: one that the server may create, or one the operator has set. */
  public boolean isPossible() {
    return keys.mayChange() || keys.read().size() > 1;
  }

  /** Returns how many secrets were encrypted again. */
  public int run(Actor actor) throws SQLException {
    Resealed resealed =
        database.write(
            connection -> {
              Credentials.holdKeyAlone(connection);
              String key = keys.mayChange() ? keys.addNew() : keys.read().getFirst();
              box.reload();
              int more = others.reseal(connection);
              return new Resealed(applications.reseal(connection, more, actor), key);
            });
    if (keys.mayChange()) {
      database.write(
          connection -> {
            Credentials.holdKeyAlone(connection);
            keys.forgetOlderThan(resealed.key);
            return resealed;
          });
    }
    return resealed.secrets;
  }
}
