package io.stockroom.core.webhooks;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Failure;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.call.Success;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.IdempotentReplies.Repeatable;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.protocol.request.WebhookReader;
import io.stockroom.protocol.request.WebhookReader.CreateWebhook;
import io.stockroom.protocol.request.WebhookReader.DeliveryPage;
import io.stockroom.protocol.request.WebhookReader.ReplayWebhook;
import io.stockroom.protocol.request.WebhookReader.UpdateWebhook;
import java.sql.SQLException;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** The calls below {@code /Webhook/} that manage the caller's webhooks. */
public final class WebhookCalls {
  private interface Reader<Q> {
    Q read(RequestContent content) throws InvalidRequest;
  }

  private interface Action<Q> {
    Answer answer(int merchantId, Q request, Actor actor) throws SQLException;
  }

  private record WebhookEndpoint<Q>(boolean isCommand, Reader<Q> reader, Action<Q> action)
      implements Endpoint<Q> {
    @Override
    public CallKind kind() {
      return CallKind.WEBHOOK;
    }

    @Override
    public SignatureRule signatureRule() {
      return SignatureRule.MANAGEMENT;
    }

    @Override
    public Q read(Call call, RequestContent content) throws InvalidRequest {
      return reader.read(content);
    }

    @Override
    public Answer answer(Call call, Q request) throws SQLException {
      return action.answer(call.caller().merchantId(), request, Actor.of(call.caller()));
    }
  }

  private final Webhooks webhooks;
  private final IdempotentReplies replies;

  public WebhookCalls(Webhooks webhooks, IdempotentReplies replies) {
    this.webhooks = webhooks;
    this.replies = replies;
  }

  public Endpoint<?> create() {
    return new WebhookEndpoint<CreateWebhook>(
        true,
        WebhookReader::create,
        (merchantId, request, actor) ->
            answer(
                webhooks.create(merchantId, request.url(), request.kinds(), actor),
                WebhookJson::secret));
  }

  public Endpoint<?> update() {
    return new UpdateEndpoint();
  }

  /**
   * A request of {@code /Webhook/Update}.
   *
   * @param bodyHash recognizes a request that is sent again with its idempotency key
   */
  private record Update(UpdateWebhook webhook, byte[] bodyHash) {}

  private final class UpdateEndpoint implements Endpoint<Update> {
    @Override
    public CallKind kind() {
      return CallKind.WEBHOOK;
    }

    @Override
    public boolean takesIdempotencyKey() {
      return true;
    }

    @Override
    public boolean isCommand() {
      return true;
    }

    @Override
    public Update read(Call call, RequestContent content) throws InvalidRequest {
      return new Update(WebhookReader.update(content), IdempotentReplies.hash(content.body()));
    }

    @Override
    public Answer answer(Call call, Update request) throws SQLException {
      UpdateWebhook webhook = request.webhook;
      Problem problem = webhook.url() == null ? null : webhooks.problem(webhook.url());
      if (problem != null) {
        return rejection(problem);
      }
      Answer answer =
          replies.once(
              call,
              new Repeatable("/Webhook/Update", request.bodyHash, RateLimit.NONE, isReplayable()),
              connection ->
                  WebhookCalls.answer(
                      webhooks.update(
                          connection,
                          call.caller().merchantId(),
                          webhook.id(),
                          webhook.url(),
                          webhook.kinds(),
                          Actor.of(call.caller())),
                      (_, _) -> {}));
      webhooks.wake();
      return answer;
    }
  }

  public Endpoint<?> list() {
    return new WebhookEndpoint<Boolean>(
        false,
        WebhookReader::list,
        (merchantId, _, _) -> {
          List<Webhook> all = webhooks.list(merchantId);
          return new Success(out -> WebhookJson.webhooks(out, all));
        });
  }

  public Endpoint<?> delete() {
    return byId(webhooks::delete);
  }

  public Endpoint<?> test() {
    return byId(webhooks::test);
  }

  public Endpoint<?> enable() {
    return byId(webhooks::enable);
  }

  public Endpoint<?> disable() {
    return byId(webhooks::disable);
  }

  public Endpoint<?> rotate() {
    return new WebhookEndpoint<String>(
        true,
        WebhookReader::id,
        (merchantId, id, actor) ->
            answer(webhooks.rotate(merchantId, id, actor), WebhookJson::secret));
  }

  public Endpoint<?> replay() {
    return new WebhookEndpoint<ReplayWebhook>(
        true,
        WebhookReader::replay,
        (merchantId, request, actor) ->
            answer(
                webhooks.replay(merchantId, request.id(), request.after(), actor), (_, _) -> {}));
  }

  public Endpoint<?> deliveries() {
    return new WebhookEndpoint<DeliveryPage>(
        false,
        WebhookReader::deliveries,
        (merchantId, request, _) ->
            answer(
                webhooks.deliveries(merchantId, request.id(), request.page()),
                WebhookJson::deliveries));
  }

  private interface ById {
    WebhookResult<String> apply(int merchantId, String id, Actor actor) throws SQLException;
  }

  private static Endpoint<?> byId(ById action) {
    return new WebhookEndpoint<String>(
        true,
        WebhookReader::id,
        (merchantId, id, actor) -> answer(action.apply(merchantId, id, actor), (_, _) -> {}));
  }

  private interface Writer<T> {
    void write(JsonGenerator out, T value);
  }

  private static <T> Answer answer(WebhookResult<T> result, Writer<T> writer) {
    return switch (result) {
      case WebhookResult.Done<T>(T value) -> new Success(out -> writer.write(out, value));
      case WebhookResult.Rejected<T>(Problem problem) -> rejection(problem);
    };
  }

  private static Answer rejection(Problem problem) {
    return problem.code().status() == 200
        ? new Failure(List.of(problem))
        : new Rejection(List.of(problem), 1);
  }
}
