package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.WebhookReceiver;
import java.net.URI;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Webhooks that several nodes, receivers and merchants share. */
class WebhookNodesTest extends WebhookNodeFixture {
  @Test
  void anotherNodeContinuesWhenOneStops() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks first = node();
    create(first, receiver);
    receiver.hold();
    change(3);
    receiver.await(1);

    first.close();
    receiver.resume();
    Webhooks second = node();

    await(() -> webhook(second).pending() == 0);
    assertThat(Set.copyOf(receiver.numbers())).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(receiver.all())
        .extracting(WebhookReceiver.Received::id)
        .containsOnly(receiver.all().getFirst().id());
    assertThat(deliveries(second)).allMatch(Deliveries.Delivery::isSuccess);
  }

  /** As after kill -9: the lease is held, the batch is stored, nobody renews. */
  @Test
  void takesOverFromAKilledNodeWithTheSameMessage() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    String lost =
        """
        update webhook set holder = gen_random_uuid(), lease_until = now() + interval '%s',
          batch_last = 2, message_id = '00000000-0000-0000-0000-00000000abcd'
        where merchant_id = %d returning 1
        """;
    scratch.texts(lost.formatted("1 hour", merchant));
    change(3);
    assertThat(receiver.all()).isEmpty();

    scratch.texts(lost.formatted("1 second", merchant));

    receiver.await(2);
    assertThat(receiver.all().get(0).id()).isEqualTo("msg_" + "0".repeat(28) + "abcd");
    assertThat(receiver.all().get(0).numbers()).containsExactly(1L, 2L);
    assertThat(receiver.all().get(1).numbers()).containsExactly(3L);
  }

  @Test
  void twoNodesNeverDeliverToOneWebhookAtATime() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks first = node();
    node();
    create(first, receiver);
    for (int i = 0; i < 50; i++) {
      change(1);
      announce();
    }

    await(() -> webhook(first).pending() == 0);
    assertThat(receiver.numbers())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
  }

  @Test
  void looksForWorkAfterCommitsOnlyIfAWebhookIsActive() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    assertThat(queue().hasActive()).isFalse();

    create(node, receiver);
    assertThat(queue().hasActive()).isTrue();

    node.disable(merchant, webhook(node).id(), ACTOR);
    assertThat(queue().hasActive()).isFalse();
  }

  @Test
  void receiversThatHangDoNotHoldUpOthers() throws Exception {
    WebhookReceiver hangs = opened(new WebhookReceiver());
    WebhookReceiver works = opened(new WebhookReceiver());
    hangs.hold();
    Webhooks node = node();
    for (int i = 0; i < Webhooks.MAX_WEBHOOKS; i++) {
      create(node, hangs);
    }
    change(1);
    // one merchant gets a part of the threads
    hangs.await(16);
    int other = merchant();
    node.create(other, URI.create(works.url()), BOTH, ACTOR);

    change(other, 1);

    works.await(1);
    assertThat(hangs.all()).hasSize(16);
  }
}
