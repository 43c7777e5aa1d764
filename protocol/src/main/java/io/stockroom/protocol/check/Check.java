package io.stockroom.protocol.check;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.IdempotencyKey;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The check of one request: what the rules look at, and the problems that they have reported. */
final class Check {
  /** The headers that every request needs, in the order of the documentation. */
  static final List<String> HEADERS = List.of("appid", "sign", "timestamp", "accesstoken");

  /** Enough for a person to read; a broken list of thousands repeats itself. */
  private static final int MAX_PROBLEMS = 50;

  private static final int SHOWN_CHARACTERS = 120;
  private static final int UNMASKED_CHARACTERS = 6;

  private final CapturedRequest request;
  private final Known known;
  private final @Nullable Endpoint endpoint;
  private final List<Problem> headerProblems;
  private final List<CheckProblem> problems = new ArrayList<>();

  Check(CapturedRequest request, Known known) {
    this.request = readable(request);
    this.known = known;
    this.endpoint = AddressRules.meant(request.path());
    this.headerProblems = headerProblems(request, endpoint);
  }

  /** A compressed body is not text and cannot be checked. */
  private static CapturedRequest readable(CapturedRequest request) {
    return RequestContent.encoding(request.values("Content-Encoding")).isEmpty()
        ? request
        : new CapturedRequest(request.method(), request.target(), request.headers(), null);
  }

  private static List<Problem> headerProblems(
      CapturedRequest request, @Nullable Endpoint endpoint) {
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
    return problems;
  }

  CapturedRequest request() {
    return request;
  }

  Known known() {
    return known;
  }

  /** The endpoint that is probably meant; null if none is close. */
  @Nullable Endpoint endpoint() {
    return endpoint;
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

  /** Whether the server rejects a header for this reason. */
  boolean isRejected(ErrorCode code, String header) {
    return headerProblems.stream()
        .anyMatch(problem -> problem.code() == code && problem.at().equals("headers." + header));
  }

  void report(Cause cause, String where, String expected, String found) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(new CheckProblem(cause, where, clipped(expected), clipped(found)));
    }
  }

  boolean hasReported(Cause... causes) {
    List<Cause> wanted = List.of(causes);
    return problems.stream().anyMatch(problem -> wanted.contains(problem.cause()));
  }

  /** Whether this location already has a problem. */
  boolean hasProblemAt(String where) {
    return problems.stream()
        .anyMatch(problem -> problem.where().equals(where) && !problem.cause().isHarmless());
  }

  /** The reported problems, in the order of their causes. */
  List<CheckProblem> problems() {
    return problems.stream().sorted(Comparator.comparing(CheckProblem::cause)).toList();
  }

  private static String clipped(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN_CHARACTERS)
        .forEach(
            point -> {
              boolean acts =
                  Character.isISOControl(point) || Character.getType(point) == Character.FORMAT;
              shown.append(
                  acts ? "\\u%04x".formatted(point) : new String(Character.toChars(point)));
            });
    return text.length() > SHOWN_CHARACTERS ? shown.append('…').toString() : shown.toString();
  }

  /** Shortens a secret or token: enough to recognize it, too little to use it. */
  static String masked(String text) {
    return text.length() <= UNMASKED_CHARACTERS
        ? "…"
        : text.substring(0, UNMASKED_CHARACTERS) + "…";
  }
}
