package io.stockroom.conformance;

import org.jspecify.annotations.Nullable;

/**
 * A request and what came back.
 *
 * @param answer null where none came
 */
record Exchange(Request request, @Nullable Answer answer) {}
