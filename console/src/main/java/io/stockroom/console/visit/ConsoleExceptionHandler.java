package io.stockroom.console.visit;

import io.stockroom.console.people.SignInThrottle;
import io.stockroom.core.database.SqlFailures;
import io.stockroom.core.http.BodyFailure;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.MessageSource;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.ModelAndView;

/** Turns exceptions into an error page, or into a short text for a script. */
@ControllerAdvice
public final class ConsoleExceptionHandler {
  private static final Logger log = LoggerFactory.getLogger(ConsoleExceptionHandler.class);

  /** The SQLSTATE of PostgreSQL for a full disk. */
  private static final String DISK_FULL = "53100";

  /** Fields whose values never appear in a page. */
  private static final Set<String> SECRETS = Set.of("password", "former", "code");

  private final MessageSource messages;

  public ConsoleExceptionHandler(MessageSource messages) {
    this.messages = messages;
  }

  @ExceptionHandler
  @Nullable ModelAndView answer(
      Exception failure, HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    if (response.isCommitted()) {
      // an incomplete download: rethrowing closes the connection, so the client notices
      log.warn("{} was interrupted: {}", request.getRequestURI(), failure.getMessage());
      throw failure;
    }
    PageException refusal = refusal(failure, request);
    ConsoleRequest visit = ConsoleRequest.of(request);
    response.setStatus(refusal.status());
    if (visit.isPiece()) {
      response.setContentType("text/plain; charset=utf-8");
      response.getOutputStream().write(text(refusal, visit).getBytes(StandardCharsets.UTF_8));
      return null;
    }
    ModelAndView page = new ModelAndView("failure");
    page.addObject("status", refusal.status());
    // a page that a person may not see looks like one that does not exist
    page.addObject("generalHelp", "/docs");
    page.addObject("key", refusal.key());
    page.addObject("arguments", refusal.arguments().toArray());
    if (refusal.status() == 503 && canRepeat(request)) {
      page.addObject("address", request.getRequestURI());
      page.addObject("typed", request.getParameterMap());
    }
    return page;
  }

  /** Whether a page may contain the form, so that the person can send it again. */
  private static boolean canRepeat(HttpServletRequest request) {
    String type = request.getContentType();
    return request.getMethod().equals("POST")
        && type != null
        && type.startsWith("application/x-www-form-urlencoded")
        && Collections.disjoint(request.getParameterMap().keySet(), SECRETS);
  }

  private static PageException refusal(Exception failure, HttpServletRequest request) {
    if (failure instanceof PageException refusal) {
      return refusal;
    }
    if (failure instanceof SignInThrottle.Exceeded exceeded) {
      return new PageException(429, "attempts", exceeded.waitSeconds());
    }
    if (BodyFailure.isCauseOf(failure)) {
      return new PageException(BodyFailure.code(failure).status(), "upload");
    }
    if (SqlFailures.isUnavailable(failure)) {
      log.warn("{} answered 503: {}", request.getRequestURI(), failure.getMessage());
      return new PageException(503, isDiskFull(failure) ? "disk-full" : "unavailable");
    }
    // rejected by Spring: unknown path, wrong method, malformed number
    boolean refusedBySpring =
        failure instanceof ErrorResponse response && response.getStatusCode().is4xxClientError();
    if (refusedBySpring || failure instanceof TypeMismatchException) {
      return PageException.missing();
    }
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    log.error("{} failed, request {}", request.getRequestURI(), id, failure);
    return new PageException(500, "internal", id);
  }

  private static boolean isDiskFull(@Nullable Throwable failure) {
    return failure instanceof SQLException cause
        && (DISK_FULL.equals(cause.getSQLState()) || isDiskFull(cause.getCause()));
  }

  private String text(PageException refusal, ConsoleRequest visit) {
    List<Object> arguments = refusal.arguments();
    return messages.getMessage(
        "failure." + refusal.key() + ".text",
        arguments.toArray(),
        Locale.of(visit.language().tag()));
  }
}
