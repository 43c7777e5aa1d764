package io.stockroom.server.access;

import io.stockroom.server.audit.Actor;
import java.sql.SQLException;

/**
 * Replaces the key that seals secrets. At every step each secret can be opened with a key in the
 * file, so it can be stopped anywhere and run again.
 */
public final class KeyRotation {
  private final SecretKeys keys;
  private final SecretBox box;
  private final Applications applications;

  public KeyRotation(SecretKeys keys, SecretBox box, Applications applications) {
    this.keys = keys;
    this.box = box;
    this.applications = applications;
  }

  /** Whether there is a new key to seal with: one we may make, or one the operator has set. */
  public boolean isPossible() {
    return keys.mayChange() || keys.read().size() > 1;
  }

  /** Gives how many applications' secrets were sealed anew. */
  public int run(Actor actor) throws SQLException {
    if (keys.mayChange()) {
      keys.addNew();
    }
    box.reload();
    int resealed = applications.reseal(actor);
    if (keys.mayChange()) {
      keys.keepFirst();
      box.reload();
    }
    return resealed;
  }
}
