package io.stockroom.cli;

import io.stockroom.client.Credentials;

/**
 * A server and the credentials for it, under a name.
 *
 * @param server the server's address; empty where the usual one is meant
 */
record Profile(String name, String server, Credentials credentials) {}
