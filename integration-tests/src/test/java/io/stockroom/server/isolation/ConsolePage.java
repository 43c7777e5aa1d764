package io.stockroom.server.isolation;

import io.stockroom.console.ConsoleServlet;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.Anyone;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestServer;
import java.lang.annotation.Annotation;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * A page of the console, read from Spring's handler mappings, so new pages are always covered.
 *
 * @param anyone whether people who are not signed in may use it
 * @param roles who else may
 * @param parameters the names of its query and form parameters
 */
record ConsolePage(
    String method, String path, boolean anyone, Set<Role> roles, Set<String> parameters) {
  static List<ConsolePage> all(TestServer server) {
    // the first request initializes the mappings
    Pages.on(server).get(ConsoleServlet.PATH + "/sign-in");
    RequestMappingHandlerMapping mapping =
        Objects.requireNonNull(server.console().getWebApplicationContext())
            .getBean(RequestMappingHandlerMapping.class);
    List<ConsolePage> pages = new ArrayList<>();
    mapping
        .getHandlerMethods()
        .forEach(
            (info, handler) -> {
              Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
              for (String path : info.getPatternValues()) {
                for (RequestMethod method :
                    methods.isEmpty() ? Set.of(RequestMethod.GET, RequestMethod.POST) : methods) {
                  pages.add(page(method.name(), ConsoleServlet.PATH + path, handler));
                }
              }
            });
    return pages;
  }

  private static ConsolePage page(String method, String path, HandlerMethod handler) {
    Allow allow = find(handler, Allow.class);
    Set<Role> roles = EnumSet.noneOf(Role.class);
    if (allow != null) {
      roles.addAll(allow.value().length == 0 ? EnumSet.allOf(Role.class) : List.of(allow.value()));
    }
    return new ConsolePage(
        method, path, find(handler, Anyone.class) != null, roles, parameters(handler));
  }

  private static Set<String> parameters(HandlerMethod handler) {
    Set<String> names = new TreeSet<>();
    for (Parameter parameter : handler.getMethod().getParameters()) {
      RequestParam given = parameter.getAnnotation(RequestParam.class);
      if (given != null) {
        names.add(given.name().isEmpty() ? parameter.getName() : given.name());
      }
    }
    return names;
  }

  private static <A extends Annotation> A find(HandlerMethod handler, Class<A> type) {
    A own = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), type);
    return own != null
        ? own
        : AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), type);
  }

  boolean changes() {
    return !method.equals("GET");
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
