package io.stockroom.core.call;

import io.stockroom.core.settings.Limits;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Scope;
import java.util.EnumSet;
import java.util.Set;

/**
 * One authenticated request.
 *
 * @param caller who is calling, for which merchant
 * @param timestamp the Unix time in seconds that was signed
 * @param language the language for messages
 * @param idempotencyKey empty if there is none, or if the endpoint takes none
 */
public record Call(Caller caller, long timestamp, Language language, String idempotencyKey) {
  /** A call without an idempotency key. */
  public Call(Caller caller, long timestamp, Language language) {
    this(caller, timestamp, language, "");
  }

  /**
   * An application that acts for a merchant.
   *
   * @param boundStore the external store that the token is bound to; empty if there is none
   * @param limits the merchant's limits
   * @param scopes the permissions of the token
   */
  public record Caller(
      int merchantId,
      int applicationId,
      String appid,
      int tokenId,
      String boundStore,
      String address,
      Limits limits,
      Set<Scope> scopes) {
    /** A caller with all scopes. */
    public Caller(
        int merchantId,
        int applicationId,
        String appid,
        int tokenId,
        String boundStore,
        String address,
        Limits limits) {
      this(
          merchantId,
          applicationId,
          appid,
          tokenId,
          boundStore,
          address,
          limits,
          EnumSet.allOf(Scope.class));
    }
  }
}
