package io.stockroom.core.call;

import io.stockroom.core.settings.Limits;

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
