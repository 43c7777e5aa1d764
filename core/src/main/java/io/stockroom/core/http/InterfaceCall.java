package io.stockroom.core.http;

import io.stockroom.core.call.CutAnswer;
import io.stockroom.core.traffic.Traffic.Exchange;
import io.stockroom.protocol.Language;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** One request to the interface: what is known of it so far, and its one way out. */
final class InterfaceCall {
  /** The length that half a response announces. */
  private static final int PROMISED_BYTES = 1000;

  final Request request;
  final Language language;
  final Body body;
  final String address;
  private final Response response;
  private final Callback callback;
  private final CallRecorder recorder;
  private final String endpoint;
  private int merchantId;
  private int applicationId;
  private long startNanos = System.nanoTime();

  /**
   * A request.
   *
   * @param route null if there is no such address
   */
  InterfaceCall(
      Request request,
      Response response,
      Callback callback,
      Routes.@Nullable Route<?> route,
      Language language,
      String address,
      Body body,
      CallRecorder recorder) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.language = language;
    this.address = address;
    this.body = body;
    this.recorder = recorder;
    this.endpoint = route == null ? Exchange.OTHER : route.path();
    // the server's own work may take as long as it needs; reads and writes still time out
    request.addIdleTimeoutListener(_ -> false);
  }

  /** The values of a header field. */
  Function<String, List<String>> values() {
    return request.getHeaders()::getValuesList;
  }

  /** Starts to measure: how long a client sends or waits says nothing about the server. */
  void starts() {
    startNanos = System.nanoTime();
  }

  void isOf(int merchant, int application) {
    merchantId = merchant;
    applicationId = application;
  }

  /** Sends the answer, from any thread, now or later; then the connection serves the next call. */
  void reply(Responses.Outgoing outgoing) {
    long nanos = System.nanoTime() - startNanos;
    Exchange exchange =
        new Exchange(
            outgoing.requestId(),
            merchantId,
            applicationId,
            endpoint,
            outgoing.status(),
            outgoing.code(),
            nanos);
    // before the response, because the request ends with it
    recorder.record(exchange, () -> content(outgoing.body()));
    body.close();
    outgoing.send(response, callback);
  }

  /** Sends half a response, and closes the connection. */
  void cut() {
    body.close();
    response.getHeaders().put(Responses.JSON_FIELD);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, PROMISED_BYTES);
    response.write(
        false,
        ByteBuffer.wrap("{\"success\":".getBytes(StandardCharsets.UTF_8)),
        Callback.from(() -> fail(new IOException(CutAnswer.MESSAGE)), callback::failed));
  }

  /** Ends a request that cannot be answered. */
  void fail(Throwable failure) {
    body.close();
    callback.failed(failure);
  }

  private Exchange.Content content(byte[] answer) {
    List<Exchange.Header> headers =
        request.getHeaders().stream().map(InterfaceCall::header).toList();
    return new Exchange.Content(
        request.getMethod(),
        request.getHttpURI().getPathQuery(),
        address,
        headers,
        body.known(),
        answer);
  }

  private static Exchange.Header header(HttpField field) {
    return new Exchange.Header(field.getName(), field.getValue() == null ? "" : field.getValue());
  }
}
