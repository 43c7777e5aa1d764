package io.stockroom.server.console;

import io.stockroom.server.console.visit.Visit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Answers everything under {@code /console}. Its context is a child of the server's and is made at
 * the first request, so that the server is ready without waiting for it.
 */
public final class ConsoleServlet extends DispatcherServlet {
  public static final String PATH = "/console";

  private static final long serialVersionUID = 1;

  /**
   * Scripts, styles and requests are ours alone; pictures of products come from merchants' hosts.
   */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " font-src 'self'; img-src 'self' https: data:; form-action 'self';"
              + " base-uri 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Permissions-Policy",
          "camera=(), geolocation=(), microphone=()",
          "Cache-Control",
          "no-store");

  public ConsoleServlet() {
    super(context());
  }

  private static AnnotationConfigWebApplicationContext context() {
    AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
    context.register(ConsoleParts.class);
    return context;
  }

  @Override
  protected void doService(HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    HEADERS.forEach(response::setHeader);
    request.setCharacterEncoding(StandardCharsets.UTF_8.name());
    // so that even a page about a failure knows its language and its files
    request.setAttribute(
        Visit.ATTRIBUTE, webApplicationContext().getBean(Visit.Factory.class).anonymous(request));
    super.doService(request, response);
  }

  private org.springframework.web.context.WebApplicationContext webApplicationContext() {
    return java.util.Objects.requireNonNull(getWebApplicationContext());
  }
}
