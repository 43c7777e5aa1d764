package io.stockroom.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/** Waits until calls are in the tables, which takes a second or two. */
public final class Logged {
  private static final Duration SOON = Duration.ofSeconds(20);

  private Logged() {}

  /** The request id of a response. */
  public static String id(Reply reply) {
    return reply.header("x-request-id").orElseThrow();
  }

  /** Waits until the request log contains this call. */
  public static void await(TestMerchant merchant, Reply reply) {
    String sql = "select merchant_id from request_log where request_id = '" + id(reply) + "'";
    assertThat(Eventually.within(SOON, () -> !merchant.texts(sql).isEmpty()))
        .as("the request log has " + reply.whole())
        .isTrue();
  }

  /** Waits until this many calls of a merchant are counted. */
  public static void awaitCalls(TestMerchant merchant, int calls) {
    String sql = "select coalesce(sum(calls), 0) from traffic where merchant_id = ?";
    String wanted = Integer.toString(calls);
    assertThat(Eventually.within(SOON, () -> merchant.texts(sql).equals(List.of(wanted))))
        .as("%s calls are counted, not %s", wanted, merchant.texts(sql))
        .isTrue();
  }
}
