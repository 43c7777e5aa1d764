package io.stockroom.core.sandbox;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** An endpoint that answers requests with a {@link SandboxProduct} as wished. */
final class SandboxEndpoint<Q> implements Endpoint<SandboxEndpoint.Wished<Q>> {
  /** A request that has passed the endpoint's own checks. */
  record Wished<Q>(Q request, SandboxProduct.@Nullable Wish wish) {}

  private final String path;
  private final Endpoint<Q> endpoint;
  private final SandboxAnswers answers;

  SandboxEndpoint(String path, Endpoint<Q> endpoint, SandboxAnswers answers) {
    this.path = path;
    this.endpoint = endpoint;
    this.answers = answers;
  }

  @Override
  public CallKind kind() {
    return endpoint.kind();
  }

  @Override
  public boolean takesIdempotencyKey() {
    return endpoint.takesIdempotencyKey();
  }

  @Override
  public boolean isReplayable() {
    return endpoint.isReplayable();
  }

  @Override
  public Wished<Q> read(Call call, RequestContent content) throws InvalidRequest {
    return new Wished<>(endpoint.read(call, content), SandboxProduct.in(content));
  }

  @Override
  public Answer answer(Call call, Wished<Q> wished) throws SQLException {
    SandboxProduct.Wish wish = wished.wish();
    Answer answer = wish == null ? null : answers.to(wish, path, call.caller());
    return answer == null ? endpoint.answer(call, wished.request()) : answer;
  }
}
