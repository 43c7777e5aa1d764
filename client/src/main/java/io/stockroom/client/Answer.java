package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A response in the form of the interface: an object that says whether the call succeeded.
 *
 * @param success whether the status is 200 and {@code success} is true
 */
record Answer(Reply reply, Fields fields, boolean success) {
  /** The enum follows the order of the checks, so the authentication codes are one range. */
  private static final Set<ErrorCode> AUTHENTICATION =
      EnumSet.range(ErrorCode.HEADER_MISSING, ErrorCode.OPERATOR_KEY_WRONG);

  private static final Set<ErrorCode> LIMITS =
      EnumSet.of(ErrorCode.DETAIL_PER_DAY, ErrorCode.PUBLISH_SHARE, ErrorCode.STORE_PRODUCTS);

  /** Parses a reply, or throws an exception that says what it is instead. */
  static Answer of(Reply reply) {
    switch (reply.body().end()) {
      case WHOLE -> {}
      case CUT -> throw foreign(reply, "it is truncated");
      case TOO_LARGE -> throw foreign(reply, "it is too large");
    }
    if (reply.body().bytes().length == 0) {
      throw foreign(reply, "it is empty");
    }
    try {
      Fields fields = Json.object(reply.body().bytes());
      return new Answer(reply, fields, fields.flag("success") && reply.status() == 200);
    } catch (MalformedResponse misfit) {
      throw foreign(reply, misfit.what());
    }
  }

  /** A proxy's own 429 or 503 means the same as the server's. */
  private static StockroomException foreign(Reply reply, String what) {
    Origin origin = reply.origin(null);
    return switch (reply.status()) {
      case 429 -> new RateLimitedException(reply.describe(what), origin, reply.retryAfter());
      case 503 -> new ServerUnavailableException(reply.describe(what), origin, reply.retryAfter());
      default -> reply.unexpected(what);
    };
  }

  /** Reads the fields of a success. */
  <T> T read(Function<Fields, T> content) {
    if (!success) {
      throw failure();
    }
    try {
      return content.apply(fields);
    } catch (MalformedResponse misfit) {
      throw reply.unexpected(misfit.what());
    }
  }

  @Nullable ErrorCode code() {
    return known(codeText());
  }

  List<Problem> problems() {
    try {
      return fields.has("errors")
          ? fields.list(
              "errors",
              error -> new Problem(error.text("at"), error.text("code"), error.text("msg")))
          : List.of();
    } catch (MalformedResponse misfit) {
      return List.of();
    }
  }

  /** Converts a response that is not a success into an exception. */
  StockroomException failure() {
    Origin origin = reply.origin(codeText());
    String words = words();
    return switch (reply.status()) {
      case 200 -> rejection(words, origin);
      case 400, 404, 405 ->
          isAuthentication()
              ? new AuthenticationException(words, origin, problems())
              : new InvalidRequestException(words, origin, problems());
      case 401, 403 -> new AuthenticationException(words, origin, problems());
      case 429 ->
          isAuthentication()
              ? new AuthenticationException(words, origin, problems())
              : new RateLimitedException(words, origin, reply.retryAfter());
      case 500 -> new ServerErrorException(words, origin);
      case 503 -> new ServerUnavailableException(words, origin, reply.retryAfter());
      default -> reply.unexpected("it has an unknown status");
    };
  }

  /** Like {@link #read}, of a call about several things: its failure lists a problem for each. */
  <T> T readAll(Function<Fields, T> content) {
    if (reply.status() == 200 && !success && !problems().isEmpty()) {
      throw new RejectedException(words(), reply.origin(codeText()), problems());
    }
    return read(content);
  }

  private StockroomException rejection(String words, Origin origin) {
    ErrorCode code = known(origin.code());
    if (code == ErrorCode.CURSOR_EXPIRED) {
      return new CursorExpiredException(words, origin);
    }
    if (code == ErrorCode.PRODUCT_MISSING) {
      return new NotFoundException(words, origin);
    }
    boolean limit = code == null ? reply.retryAfter() != null : LIMITS.contains(code);
    return limit
        ? new LimitReachedException(words, origin, reply.quotas(), reply.retryAfter())
        : new RejectedException(words, origin, problems());
  }

  private boolean isAuthentication() {
    ErrorCode code = code();
    return code != null && AUTHENTICATION.contains(code);
  }

  /** The envelope lists the codes of its problems; other responses have them in a header. */
  @Nullable String codeText() {
    List<Problem> problems = problems();
    return problems.isEmpty() ? reply.header("X-Error-Code") : problems.get(0).code();
  }

  String words() {
    try {
      String words = fields.textOrNull("msg");
      return words == null || words.isBlank()
          ? "The server rejected the request without a reason."
          : words;
    } catch (MalformedResponse misfit) {
      return "The server rejected the request without a reason.";
    }
  }

  private static @Nullable ErrorCode known(@Nullable String code) {
    return Arrays.stream(ErrorCode.values())
        .filter(known -> known.name().equals(code))
        .findFirst()
        .orElse(null);
  }
}
