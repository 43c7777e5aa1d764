package io.stockroom.cli;

import io.stockroom.client.Credentials;

/**
 * A named server with credentials.
 *
 * @param server the server's address; empty for the default
 */
record Profile(String name, String server, Credentials credentials) {}
