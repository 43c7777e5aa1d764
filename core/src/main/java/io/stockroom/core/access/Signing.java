package io.stockroom.core.access;

import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How an application must sign.
 *
 * @param requireHmac whether MD5 signatures are refused
 * @param requireNonce whether every HMAC needs a nonce
 * @param restrictMd5 whether MD5 signatures are refused for webhooks and imports
 */
public record Signing(boolean requireHmac, boolean requireNonce, boolean restrictMd5) {
  static final Signing FREE = new Signing(false, false, false);

  /** Changes; null keeps what is. */
  public record Change(
      @Nullable Boolean requireHmac,
      @Nullable Boolean requireNonce,
      @Nullable Boolean restrictMd5) {
    public static final Change NONE = new Change(null, null, null);

    public boolean isNone() {
      return equals(NONE);
    }

    Sql.Call in(Sql.Call statement) {
      return statement
          .set("requireHmac", requireHmac)
          .set("requireNonce", requireNonce)
          .set("restrictMd5", restrictMd5);
    }
  }

  static Signing read(ResultSet row) throws SQLException {
    return new Signing(
        row.getBoolean("require_hmac"),
        row.getBoolean("require_nonce"),
        row.getBoolean("restrict_md5"));
  }

  boolean refusesMd5(SignatureRule rule) {
    return requireHmac
        || (restrictMd5 && rule == SignatureRule.MANAGEMENT)
        || rule == SignatureRule.HMAC;
  }

  boolean requiresNonce(SignatureRule rule) {
    return requireNonce || rule != SignatureRule.ANY;
  }
}
