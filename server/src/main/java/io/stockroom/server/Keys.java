package io.stockroom.server;

import io.stockroom.core.access.SecretKeys;

/** The operator's key, and where the keys that seal secrets are. */
record Keys(String operator, SecretKeys secret) {
  /** Keeps the operator's key out of logs. */
  @Override
  public String toString() {
    return "Keys[…]";
  }
}
