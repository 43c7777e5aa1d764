package io.stockroom.lab.bench;

import io.stockroom.lab.bench.Marketplace.Account;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Compares the answers of server and peer to the same requests: a peer that does less is none. */
final class PeerCheck {
  private static final int MISSING = Integer.MAX_VALUE;

  private final Requests requests;
  private final int serverPort;
  private final int peerPort;
  private final List<String> differences = new ArrayList<>();

  private PeerCheck(Requests requests, int serverPort, int peerPort) {
    this.requests = requests;
    this.serverPort = serverPort;
    this.peerPort = peerPort;
  }

  /** Returns the differences; empty if all answers are equal. */
  static List<String> differences(Requests requests, int serverPort, int peerPort)
      throws IOException {
    PeerCheck check = new PeerCheck(requests, serverPort, peerPort);
    // new entries, which the operations may add to any product, get different guids
    check.compareStockAfterACreate();
    check.compareOperations();
    check.compareFailures();
    return check.differences;
  }

  private void compareOperations() throws IOException {
    for (Operation operation : Operation.values()) {
      if (operation.isOfPeers() && operation != Operation.MIXED) {
        compare(operation.title(), requests.make(operation, 1).getFirst(), true);
      }
    }
  }

  /** Colors in the order of their creation, a range of sizes, a barcode. */
  private void compareStockAfterACreate() throws IOException {
    Account account = account();
    int product = product(0);
    String existing = requests.market().colors().getLast();
    String body =
        """
        [{"pid":%1$d,"color":"%2$s","param":[{"size":"36-38","stock":7}]},\
        {"pid":%1$d,"color":"%3$s","param":[{"size":"39","stock":0,"barCode":"peer-1"}]}]"""
            .formatted(product, existing, requests.market().colors().getFirst());
    compare("create with a range", requests.json(account, "/Stock/Creat", body), true);
    compare("stock after it", requests.form(account, "/Stock/List", "productid=" + product), true);
    compare("detail after it", requests.form(account, "/Product/Detail", "pid=" + product), true);
  }

  private void compareFailures() throws IOException {
    Account account = account();
    String without = "productid=" + product(4);
    compare("product without stock", requests.form(account, "/Stock/List", without), true);
    compare("missing product", requests.form(account, "/Stock/List", "productid=" + MISSING), true);
    compare("missing detail", requests.form(account, "/Product/Detail", "pid=" + MISSING), true);
    compare("page 0", requests.form(account, "/Stock/Product", "page=0"), false);
    compare("no page", requests.form(account, "/Stock/Product", ""), false);
    compare("wrong filter", requests.form(account, "/Stock/Product", "page=1&stock=x"), false);
    compare("wrong type", requests.json(account, "/Stock/List", "{}"), false);
    for (String item :
        List.of(
            "{\"size\":\"40-36\",\"stock\":1}",
            "{\"size\":\"36-\",\"stock\":1}",
            "{\"size\":\"36\",\"stock\":-1}",
            "{\"size\":\"36\",\"stock\":\"3\"}",
            "{\"size\":\"36-37\",\"stock\":1,\"barCode\":\"1\"}",
            "{\"size\":\"36-37\",\"stock\":1},{\"size\":\"37\",\"stock\":1}")) {
      String body = "[{\"pid\":%d,\"color\":\"x\",\"param\":[%s]}]".formatted(product(0), item);
      compare("create of " + item, requests.json(account, "/Stock/Creat", body), false);
    }
    Account other = requests.market().accounts().getFirst();
    Account wrong =
        new Account(account.merchantId(), account.appid(), other.secret() + "x", account.token());
    compare("wrong secret", requests.form(wrong, "/Stock/Product", "page=1"), false);
  }

  private Account account() {
    return requests.market().accounts().get(1);
  }

  /** A product of that account; of five, the last has no stock. */
  private int product(int index) {
    return requests.market().firstProductId() + requests.market().largeProducts() + index;
  }

  /**
   * Sends a request to both, each over a new connection, because a rejection may close it.
   *
   * @param wholly whether the bodies must be equal, too; texts of errors may differ
   */
  private void compare(String what, byte[] request, boolean wholly) throws IOException {
    try (HttpConnection server = new HttpConnection(serverPort);
        HttpConnection peer = new HttpConnection(peerPort)) {
      boolean isEqual =
          server.send(request) == peer.send(request)
              && server.status().equals(peer.status())
              && (!wholly || server.body().equals(peer.body()));
      if (!isEqual) {
        differences.add(
            "%s%n  server: %s %s%n  peer:   %s %s%n"
                .formatted(what, server.status(), server.body(), peer.status(), peer.body()));
      }
    }
  }
}
