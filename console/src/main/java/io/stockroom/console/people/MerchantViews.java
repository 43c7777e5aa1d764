package io.stockroom.console.people;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import java.sql.SQLException;

/**
 * Lets an operator see the console of a merchant, read-only. The merchant's audit log shows when it
 * began and ended; a session that expires ends it without an entry.
 */
public final class MerchantViews {
  private final Sessions sessions;
  private final Audit audit;

  public MerchantViews(Sessions sessions, Audit audit) {
    this.sessions = sessions;
    this.audit = audit;
  }

  /** Begins to view a merchant. Writes the audit entry first, so every view has one. */
  public void begin(String session, int merchantId, Actor actor) throws SQLException {
    audit.note(merchantId, actor, "merchant.view", "console", "read-only");
    sessions.view(session, merchantId);
  }

  public void end(String session, int merchantId, Actor actor) throws SQLException {
    sessions.view(session, null);
    audit.note(merchantId, actor, "merchant.view-end", "console", "");
  }
}
