package io.stockroom.conformance;

import io.stockroom.protocol.Signature;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Builds a request that is valid except for what a rule changes. */
final class RequestBuilder {
  static final String FORM = "application/x-www-form-urlencoded";
  static final String JSON = "application/json";

  private final Probe probe;
  private final String path;
  private final List<Request.Header> headers = new ArrayList<>();
  private String method = "POST";
  private String query = "";
  private byte[] body = new byte[0];

  RequestBuilder(Probe probe, String path) {
    this.probe = probe;
    this.path = path;
    header("appid", probe.target().appid());
    header("accesstoken", probe.target().token());
    at(probe.now());
  }

  /** Signs for this second. */
  RequestBuilder at(long second) {
    String timestamp = Long.toString(second);
    return header("timestamp", timestamp)
        .header("sign", Signature.sign(probe.target().secret(), timestamp));
  }

  RequestBuilder method(String name) {
    method = name;
    return this;
  }

  RequestBuilder query(String text) {
    query = "?" + text;
    return this;
  }

  RequestBuilder form(String fields) {
    return body(FORM, fields);
  }

  RequestBuilder json(String text) {
    return body(JSON, text);
  }

  RequestBuilder body(String type, String text) {
    body = text.getBytes(StandardCharsets.UTF_8);
    return header("Content-Type", type);
  }

  /** Replaces a header. */
  RequestBuilder header(String name, String value) {
    without(name);
    return also(name, value);
  }

  /** Adds a header, even if there is one already. */
  RequestBuilder also(String name, String value) {
    headers.add(new Request.Header(name, value));
    return this;
  }

  RequestBuilder without(String name) {
    headers.removeIf(header -> header.name().equalsIgnoreCase(name));
    return this;
  }

  /** Signs the whole request with HMAC; call it last. */
  RequestBuilder hmac() {
    String timestamp = Long.toString(probe.now());
    String sign =
        Signature.hmac(
            probe.target().secret(), method, path + query, timestamp, probe.target().token(), body);
    return header("timestamp", timestamp).header("sign", sign).header("sign-method", "hmac-sha256");
  }

  Request request() {
    return new Request(method, path, query, List.copyOf(headers), body);
  }

  Answer send() {
    return probe.send(request());
  }
}
