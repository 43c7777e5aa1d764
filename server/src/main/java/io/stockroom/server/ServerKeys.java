package io.stockroom.server;

import io.stockroom.core.access.SecretKeys;

/** The operator key, and the files of the keys that encrypt secrets. */
record ServerKeys(String operator, SecretKeys secret) {
  /** Keeps the operator key out of logs. */
  @Override
  public String toString() {
    return "ServerKeys[…]";
  }
}
