package io.stockroom.server.testing;

import java.util.List;
import java.util.Map;

/** Three servers on one database, and a merchant's limits on all of them. */
public final class Nodes {
  private Nodes() {}

  /** A server with low limits that trusts a proxy on this machine. */
  public static TestServer strict() {
    return TestServer.with(
        Map.of(
            "limits.detail-per-day", "3",
            "limits.failed-authentications", "5",
            "limits.create-interval", "PT0S",
            "trusted-proxies", "127.0.0.1, 10.9.0.0/16"));
  }

  public static List<TestServer> three() {
    return List.of(
        TestServer.shared(),
        strict(),
        TestServer.with(Map.of("limits.create-interval", "PT0S", "page-size", "51")));
  }

  /** Sets a merchant's limits; {@code fields} such as {@code "limits.detail-per-day":"3"}. */
  public static Reply setLimits(TestMerchant merchant, String fields) {
    return Admin.of(TestServer.shared())
        .send("PUT", "/admin/merchants/" + merchant.id() + "/limits", "{" + fields + "}");
  }
}
