package io.stockroom.console;

import io.stockroom.console.visit.ConsoleRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Serves everything under {@code /console}. Its Spring context starts on the first request, so the
 * server becomes ready without waiting for it.
 */
public final class ConsoleServlet extends DispatcherServlet {
  public static final String PATH = "/console";

  private static final long serialVersionUID = 1;

  /**
   * Only our own scripts, styles and requests are allowed; product pictures may come from
   * merchants' hosts.
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
          "camera=(self), geolocation=(), microphone=()",
          "Cache-Control",
          "no-store");

  /**
   * @param parts what the pages use, such as the stores; the console does not close them
   */
  public ConsoleServlet(List<Object> parts) {
    super(context(parts));
  }

  private static AnnotationConfigWebApplicationContext context(List<Object> parts) {
    AnnotationConfigWebApplicationContext context =
        new AnnotationConfigWebApplicationContext() {
          @Override
          protected void customizeBeanFactory(DefaultListableBeanFactory factory) {
            super.customizeBeanFactory(factory);
            parts.forEach(part -> factory.registerSingleton(part.getClass().getName(), part));
          }
        };
    context.register(ConsoleConfiguration.class);
    return context;
  }

  /** Requests one page at startup, which initializes the console before the first visitor. */
  public static void prepare(String address) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      client.send(
          HttpRequest.newBuilder(URI.create(address)).build(),
          HttpResponse.BodyHandlers.discarding());
    } catch (IOException unreachable) {
      // the first visitor initializes the console instead
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected void doService(HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    HEADERS.forEach(response::setHeader);
    request.setCharacterEncoding(StandardCharsets.UTF_8.name());
    // error pages need the language and the assets as well
    request.setAttribute(
        ConsoleRequest.ATTRIBUTE,
        webApplicationContext().getBean(ConsoleRequest.Factory.class).anonymous(request));
    super.doService(request, response);
  }

  private WebApplicationContext webApplicationContext() {
    return Objects.requireNonNull(getWebApplicationContext());
  }
}
