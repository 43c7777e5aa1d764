package io.stockroom.core.merchants;

import io.stockroom.core.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether a merchant is active, suspended or closed.
 *
 * @param suspendedAt since when its calls are rejected; null if they are not
 * @param reason why it is suspended, as the operator wrote it
 * @param closedAt when it was closed for good; null if it was not
 */
public record MerchantStatus(
    @Nullable Instant suspendedAt, String reason, @Nullable Instant closedAt) {
  public static final MerchantStatus ACTIVE = new MerchantStatus(null, "", null);

  /** The columns of {@code merchant m} that {@link #read} reads. */
  public static final String COLUMNS = "m.suspended_at, m.suspension_reason, m.closed_at";

  /** Reads the columns; a row without a merchant is active. */
  public static MerchantStatus read(ResultSet row) throws SQLException {
    String reason = row.getString("suspension_reason");
    return new MerchantStatus(
        Sql.instantOrNull(row, "suspended_at"),
        reason == null ? "" : reason,
        Sql.instantOrNull(row, "closed_at"));
  }

  public boolean isClosed() {
    return closedAt != null;
  }

  public boolean isSuspended() {
    return suspendedAt != null && closedAt == null;
  }

  public boolean isActive() {
    return suspendedAt == null && closedAt == null;
  }

  /** {@code active}, {@code suspended} or {@code closed}. */
  public String word() {
    return isClosed() ? "closed" : isSuspended() ? "suspended" : "active";
  }

  /** Since when it is not active; null if it is. */
  public @Nullable Instant since() {
    return closedAt == null ? suspendedAt : closedAt;
  }
}
