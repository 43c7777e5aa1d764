package io.stockroom.server;

/** The two keys that the data folder or the environment holds. */
record Keys(String operator, String secret) {
  /** Keeps both out of logs. */
  @Override
  public String toString() {
    return "Keys[…]";
  }
}
