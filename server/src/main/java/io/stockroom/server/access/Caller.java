package io.stockroom.server.access;

/**
 * An application that was let in to act for a merchant.
 *
 * @param boundStore the outside store that the token names; empty where it names none
 */
public record Caller(int merchantId, int applicationId, int tokenId, String boundStore)
    implements Admission {}
