package io.stockroom.console.visit;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.admission.ConcurrencyLimit;
import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.admission.ConcurrencyLimits;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Limits how many pages are rendered concurrently; further requests wait or get status 503. */
public final class PageLimitInterceptor implements HandlerInterceptor {
  private final ConcurrencyLimit pages;
  private final ConcurrencyLimit files;

  public PageLimitInterceptor(ConcurrencyLimits limits) {
    this.pages = limits.of(CallKind.PAGE);
    this.files = limits.of(CallKind.FILE);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    readForm(request);
    Permit permit = limit(handler).permit();
    if (!permit.acquire()) {
      permit.close();
      response.setHeader("Retry-After", "2");
      throw new PageException(503, "overloaded");
    }
    request.setAttribute(Permit.ATTRIBUTE, permit);
    return true;
  }

  /** Reads the form first, so a slow client does not hold a permit. */
  private static void readForm(HttpServletRequest request) {
    try {
      var _ = request.getParameterMap();
    } catch (IllegalStateException broken) {
      throw new PageException(400, "form");
    }
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    if (request.getAttribute(Permit.ATTRIBUTE) instanceof Permit permit) {
      permit.close();
    }
  }

  private ConcurrencyLimit limit(Object handler) {
    return handler instanceof HandlerMethod method && method.hasMethodAnnotation(FileTransfer.class)
        ? files
        : pages;
  }
}
