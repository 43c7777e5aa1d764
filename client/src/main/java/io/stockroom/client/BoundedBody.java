package io.stockroom.client;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Collects the body of a response up to a limit. Keeps what arrived before the limit or before a
 * connection failure, because it shows who responded.
 */
final class BoundedBody implements BodySubscriber<BoundedBody.Body> {
  /** How a body ended. */
  enum End {
    WHOLE,
    CUT,
    TOO_LARGE
  }

  /** The received bytes. */
  record Body(byte[] bytes, End end) {}

  private final int most;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
  private final CompletableFuture<Body> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  BoundedBody(int most) {
    this.most = most;
  }

  /** The bytes received so far. */
  Body soFar() {
    return body.getNow(new Body(bytes.toByteArray(), End.CUT));
  }

  @Override
  public CompletionStage<Body> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      byte[] part = new byte[Math.min(buffer.remaining(), most - bytes.size())];
      boolean tooLarge = buffer.remaining() > part.length;
      buffer.get(part);
      bytes.writeBytes(part);
      if (tooLarge) {
        if (subscription != null) {
          subscription.cancel();
        }
        end(End.TOO_LARGE);
        return;
      }
    }
  }

  @Override
  public void onError(Throwable cut) {
    end(End.CUT);
  }

  @Override
  public void onComplete() {
    end(End.WHOLE);
  }

  private void end(End end) {
    body.complete(new Body(bytes.toByteArray(), end));
  }
}
