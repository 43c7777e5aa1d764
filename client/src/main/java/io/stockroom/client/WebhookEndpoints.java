package io.stockroom.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/**
 * Manages the merchant's webhooks; see {@link StockroomClient#webhooks}. Receivers check deliveries
 * with {@link Webhooks#verify}.
 */
public final class WebhookEndpoints {
  private final Calls calls;

  WebhookEndpoints(Calls calls) {
    this.calls = calls;
  }

  /**
   * Creates a webhook for all kinds of changes, from now on.
   *
   * @param url where to deliver: {@code https://…}
   * @return its id and secret
   */
  public WebhookCredentials create(String url) {
    return create(url, Set.of(ChangeKind.values()));
  }

  /**
   * Creates a webhook.
   *
   * @param url where to deliver: {@code https://…}
   * @param kinds the kinds of changes to deliver
   * @return its id and secret
   */
  public WebhookCredentials create(String url, Collection<ChangeKind> kinds) {
    byte[] body =
        Json.write(
            out -> {
              out.writeStartObject();
              out.writeStringProperty("url", url);
              write(out, kinds);
              out.writeEndObject();
            });
    return calls.ask(OutgoingCall.json("/Webhook/Create", body)).read(WebhookCredentials::read);
  }

  private static void write(JsonGenerator out, Collection<ChangeKind> kinds) {
    out.writeArrayPropertyStart("kinds");
    kinds.stream().distinct().sorted().forEach(kind -> out.writeString(kind.word()));
    out.writeEndArray();
  }

  /**
   * Changes where a webhook delivers. It keeps its secret and continues where it stopped.
   *
   * @param id its id
   * @param url where to deliver: {@code https://…}
   */
  public void update(String id, String url) {
    update(id, out -> out.writeStringProperty("url", url));
  }

  /**
   * Changes what a webhook delivers. It keeps its secret and continues where it stopped.
   *
   * @param id its id
   * @param kinds the kinds of changes to deliver
   */
  public void update(String id, Collection<ChangeKind> kinds) {
    update(id, out -> write(out, kinds));
  }

  private void update(String id, Consumer<JsonGenerator> change) {
    byte[] body =
        Json.write(
            out -> {
              out.writeStartObject();
              out.writeStringProperty("id", id);
              change.accept(out);
              out.writeEndObject();
            });
    done(
        calls.ask(OutgoingCall.json("/Webhook/Update", body).with(CallOptions.NONE.orRandomKey())));
  }

  /** {@return all webhooks of the merchant} */
  public List<Webhook> list() {
    return calls
        .ask(OutgoingCall.read("/Webhook/List", ""))
        .read(fields -> fields.list("webhooks", Webhook::read));
  }

  /**
   * Deletes a webhook.
   *
   * @param id its id
   */
  public void delete(String id) {
    change("Delete", id);
  }

  /**
   * Sends a test message and waits for the receiver's response.
   *
   * @param id the webhook's id
   * @throws RejectedException if the receiver did not accept it; the message says why
   */
  public void test(String id) {
    change("Test", id);
  }

  /**
   * Enables a disabled webhook; it continues where it stopped.
   *
   * @param id its id
   */
  public void enable(String id) {
    change("Enable", id);
  }

  /**
   * Disables a webhook.
   *
   * @param id its id
   */
  public void disable(String id) {
    change("Disable", id);
  }

  /**
   * Gives a webhook a new secret. For a while, deliveries are signed with both.
   *
   * @param id its id
   * @return the new secret
   */
  public WebhookCredentials rotate(String id) {
    return calls
        .ask(OutgoingCall.form("/Webhook/Rotate", field("id", id)))
        .read(WebhookCredentials::read);
  }

  /**
   * Delivers all changes after a cursor again.
   *
   * @param id the webhook's id
   * @param cursor such as {@link Webhook#cursor} of an earlier moment
   */
  public void replay(String id, String cursor) {
    done(
        calls.ask(
            OutgoingCall.form("/Webhook/Replay", field("id", id) + "&" + field("after", cursor))));
  }

  /**
   * Lists the attempts to deliver, newest first.
   *
   * @param id the webhook's id
   * @return a stream that fetches pages as it is consumed
   */
  public Stream<WebhookDelivery> deliveries(String id) {
    return Pages.stream(
        number ->
            calls
                .ask(OutgoingCall.read("/Webhook/Deliveries", field("id", id) + "&page=" + number))
                .read(
                    fields ->
                        new Pages.Page<>(
                            fields.whole("totalPages"),
                            fields.list("deliveries", WebhookDelivery::read))));
  }

  private void change(String action, String id) {
    done(calls.ask(OutgoingCall.form("/Webhook/" + action, field("id", id))));
  }

  private static void done(Answer answer) {
    if (!answer.success()) {
      throw answer.failure();
    }
  }

  private static String field(String name, String value) {
    return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
