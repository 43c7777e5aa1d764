package io.stockroom.console.people;

import org.jspecify.annotations.Nullable;

/**
 * Where a request of a person comes from.
 *
 * @param browser how the browser names itself
 * @param mark what this browser was given when somebody signed in with it, or null
 */
public record Client(String address, String browser, @Nullable String mark) {}
