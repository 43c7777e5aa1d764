package io.stockroom.server.http;

import io.stockroom.protocol.Language;
import io.stockroom.server.access.Caller;

/**
 * One authenticated request.
 *
 * @param caller who is calling, for which merchant
 * @param timestamp the Unix time in seconds that was signed
 * @param language the language for messages
 */
public record Call(Caller caller, long timestamp, Language language) {}
