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
import java.util.Map;
import java.util.Objects;
import org.springframework.web.context.WebApplicationContext;
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
    context.register(ConsoleConfiguration.class);
    return context;
  }

  /** Asks for a page, which makes everything that pages need. */
  public static void prepare(String address) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      client.send(
          HttpRequest.newBuilder(URI.create(address)).build(),
          HttpResponse.BodyHandlers.discarding());
    } catch (IOException unreachable) {
      // then the first visitor waits a moment
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected void doService(HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    HEADERS.forEach(response::setHeader);
    request.setCharacterEncoding(StandardCharsets.UTF_8.name());
    // so that even a page about a failure knows its language and its files
    request.setAttribute(
        ConsoleRequest.ATTRIBUTE,
        webApplicationContext().getBean(ConsoleRequest.Factory.class).anonymous(request));
    super.doService(request, response);
  }

  private WebApplicationContext webApplicationContext() {
    return Objects.requireNonNull(getWebApplicationContext());
  }
}
