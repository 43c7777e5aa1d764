package io.stockroom.server.console.visit;

import io.stockroom.server.load.Kind;
import io.stockroom.server.load.Load;
import io.stockroom.server.load.Places;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Limits how many pages are rendered at the same time; others wait or get status 503. */
public final class PageLimitInterceptor implements HandlerInterceptor {
  private static final String SINCE = PageLimitInterceptor.class.getName() + ".since";

  private final Places pages;
  private final Places files;

  public PageLimitInterceptor(Load load) {
    this.pages = load.of(Kind.PAGE);
    this.files = load.of(Kind.FILE);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    readForm(request);
    if (!places(handler).enter()) {
      response.setHeader("Retry-After", "2");
      throw new Refusal(503, "overloaded");
    }
    request.setAttribute(SINCE, System.nanoTime());
    return true;
  }

  /** Reads the form first, so that a slow client does not occupy a place. */
  private static void readForm(HttpServletRequest request) {
    try {
      var _ = request.getParameterMap();
    } catch (IllegalStateException broken) {
      throw new Refusal(400, "form");
    }
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    if (request.getAttribute(SINCE) instanceof Long since) {
      places(handler).leave(since);
    }
  }

  private Places places(Object handler) {
    return handler instanceof HandlerMethod method && method.hasMethodAnnotation(Transfer.class)
        ? files
        : pages;
  }
}
