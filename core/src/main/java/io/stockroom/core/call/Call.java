package io.stockroom.core.call;

import io.stockroom.protocol.Language;

/**
 * One authenticated request.
 *
 * @param caller who is calling, for which merchant
 * @param timestamp the Unix time in seconds that was signed
 * @param language the language for messages
 */
public record Call(Caller caller, long timestamp, Language language) {}
