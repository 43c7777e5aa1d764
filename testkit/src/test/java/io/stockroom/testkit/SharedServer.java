package io.stockroom.testkit;

import java.util.Map;

/**
 * The server shared by all tests that need no other, because starting one takes seconds; it ends
 * with the JVM. Each test creates a merchant. A page of the product list has two products, and
 * webhooks may go to this machine.
 */
final class SharedServer {
  private static final StockroomServer ONLY =
      StockroomServer.start(Map.of("page-size", "2", "webhooks.allow-private", "true"));

  static StockroomServer get() {
    return ONLY;
  }

  private SharedServer() {}
}
