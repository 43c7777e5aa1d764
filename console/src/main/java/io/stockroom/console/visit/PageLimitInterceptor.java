package io.stockroom.console.visit;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.admission.ConcurrencyLimits;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Limits how many pages are rendered concurrently; further requests wait or get status 503. One
 * person may use at most half of the slots, and so may one address without a session. The people of
 * one merchant may use at most three quarters together.
 */
public final class PageLimitInterceptor implements HandlerInterceptor {
  private static final String PERMIT = Permit.class.getName();

  private final ConcurrencyLimits limits;

  public PageLimitInterceptor(ConcurrencyLimits limits) {
    this.limits = limits;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (!(handler instanceof HandlerMethod method) || method.getBean() instanceof AssetFiles) {
      return true;
    }
    LimitedAs other = method.getMethodAnnotation(LimitedAs.class);
    CallKind kind = other == null ? CallKind.PAGE : other.value();
    ConsoleRequest visit = ConsoleRequest.of(request);
    Permit permit = limits.of(kind).acquire(visit.limitOwner(), visit.limitGroup());
    if (permit == null) {
      throw overloaded(response);
    }
    request.setAttribute(PERMIT, permit);
    return true;
  }

  static PageException overloaded(HttpServletResponse response) {
    response.setHeader("Retry-After", "2");
    return new PageException(503, "overloaded");
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    if (request.getAttribute(PERMIT) instanceof Permit permit) {
      permit.close();
    }
  }
}
