package io.stockroom.protocol.check;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.IdempotencyKey;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input of the rules.
 *
 * @param endpoint the endpoint that is probably meant; null if none is close
 * @param headerProblems what the server rejects in the headers
 */
record CheckInput(
    CapturedRequest request,
    Known known,
    @Nullable Endpoint endpoint,
    List<Problem> headerProblems) {
  /** The headers that every request needs, in the order of the documentation. */
  static final List<String> HEADERS = List.of("appid", "sign", "timestamp", "accesstoken");

  private static final int SHOWN = 6;

  static CheckInput of(CapturedRequest request, Known known) {
    // a compressed body is not text and cannot be checked
    boolean isCompressed = !RequestContent.encoding(request.values("Content-Encoding")).isEmpty();
    CapturedRequest readable =
        isCompressed
            ? new CapturedRequest(request.method(), request.target(), request.headers(), null)
            : request;
    Endpoint endpoint = AddressRules.meant(request.path());
    List<Problem> problems = new ArrayList<>();
    try {
      AuthenticationHeaders.read(request::values);
    } catch (InvalidRequest invalid) {
      problems.addAll(invalid.problems());
    }
    try {
      if (endpoint != null && endpoint.takesIdempotencyKey()) {
        IdempotencyKey.read(request::values);
      }
    } catch (InvalidRequest invalid) {
      problems.addAll(invalid.problems());
    }
    return new CheckInput(readable, known, endpoint, problems);
  }

  /** Whether the server rejects a header for this reason. */
  boolean isRejected(ErrorCode code, String header) {
    return headerProblems.stream()
        .anyMatch(problem -> problem.code() == code && problem.at().equals("headers." + header));
  }

  String header(String name) {
    return request.value(name);
  }

  boolean isHmac() {
    return !request.values("sign-method").isEmpty();
  }

  String body() {
    String body = request.body();
    return body == null ? "" : body;
  }

  /** Shortens a secret or token: enough to recognize it, too little to use it. */
  static String masked(String text) {
    return text.length() <= SHOWN ? "…" : text.substring(0, SHOWN) + "…";
  }
}
