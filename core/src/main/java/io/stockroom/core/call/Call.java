package io.stockroom.core.call;

import io.stockroom.core.settings.Limits;
import io.stockroom.protocol.Language;

/**
 * One authenticated request.
 *
 * @param caller who is calling, for which merchant
 * @param timestamp the Unix time in seconds that was signed
 * @param language the language for messages
 */
public record Call(Caller caller, long timestamp, Language language) {
  /**
   * An application that was let in to act for a merchant.
   *
   * @param boundStore the outside store that the token names; empty where it names none
   * @param limits what the merchant may do, and how often
   */
  public record Caller(
      int merchantId,
      int applicationId,
      String appid,
      int tokenId,
      String boundStore,
      String address,
      Limits limits) {}
}
