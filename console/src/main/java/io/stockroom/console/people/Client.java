package io.stockroom.console.people;

import org.jspecify.annotations.Nullable;

/**
 * The origin of a console request.
 *
 * @param browser the User-Agent header
 * @param mark the cookie this browser got at an earlier sign-in, or null
 */
public record Client(String address, String browser, @Nullable String mark) {}
