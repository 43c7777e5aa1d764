package io.stockroom.server.http;

import io.stockroom.protocol.Scope;

/** One address of the interface: what a token needs for it, and who answers. */
public record Route<Q>(String path, Scope scope, Endpoint<Q> endpoint) {}
