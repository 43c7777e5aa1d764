package io.stockroom.server.http;

import io.stockroom.protocol.Scope;
import org.jspecify.annotations.Nullable;

/**
 * One address of the interface.
 *
 * @param scope what a token must carry for it; null where any token will do
 */
public record Route<Q>(String path, @Nullable Scope scope, Endpoint<Q> endpoint) {}
