package io.stockroom.core.webhooks;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Rejection;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.protocol.request.WebhookReader;
import io.stockroom.protocol.request.WebhookReader.CreateWebhook;
import io.stockroom.protocol.request.WebhookReader.DeliveryPage;
import io.stockroom.protocol.request.WebhookReader.ReplayWebhook;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** The calls below {@code /Webhook/} that manage the caller's webhooks. */
public final class WebhookCalls {
  private interface Reader<Q> {
    Q read(RequestContent content) throws InvalidRequest;
  }

  private interface Action<Q> {
    Answer answer(int merchantId, Q request, Actor actor) throws SQLException;
  }

  private record WebhookEndpoint<Q>(Reader<Q> reader, Action<Q> action) implements Endpoint<Q> {
    @Override
    public CallKind kind() {
      return CallKind.WEBHOOK;
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

  /** A success with further properties. */
  private record Success(Consumer<JsonGenerator> properties) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeStringProperty("msg", "");
      properties.accept(out);
      out.writeEndObject();
    }
  }

  private final Webhooks webhooks;

  public WebhookCalls(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  public Endpoint<?> create() {
    return new WebhookEndpoint<CreateWebhook>(
        WebhookReader::create,
        (merchantId, request, actor) ->
            answer(
                webhooks.create(merchantId, request.url(), request.kinds(), actor),
                WebhookJson::secret));
  }

  public Endpoint<?> list() {
    return new WebhookEndpoint<Boolean>(
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
        WebhookReader::id,
        (merchantId, id, actor) ->
            answer(webhooks.rotate(merchantId, id, actor), WebhookJson::secret));
  }

  public Endpoint<?> replay() {
    return new WebhookEndpoint<ReplayWebhook>(
        WebhookReader::replay,
        (merchantId, request, actor) ->
            answer(
                webhooks.replay(merchantId, request.id(), request.after(), actor), (_, _) -> {}));
  }

  public Endpoint<?> deliveries() {
    return new WebhookEndpoint<DeliveryPage>(
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

  private static Rejection rejection(Problem problem) {
    Rejection rejection = new Rejection(List.of(problem), 1);
    return rejection.status() == 200
        ? rejection.with(Answer.ERROR_CODE, problem.code().name())
        : rejection;
  }
}
