package io.stockroom.conformance;

import org.jspecify.annotations.Nullable;

/**
 * A request and its response.
 *
 * @param answer null if there was no response
 */
record Exchange(Request request, @Nullable Answer answer) {}
