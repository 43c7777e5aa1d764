package io.stockroom.console;

import io.stockroom.console.explorer.TrustAnyCertificate;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.settings.PictureSettings;
import io.stockroom.core.settings.Setting;
import io.stockroom.core.settings.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.HttpsURLConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Serves everything under {@code /console}. Its Spring context starts on the first request, which
 * the server makes itself before it reports that it is ready.
 */
public final class ConsoleServlet extends DispatcherServlet {
  public static final String PATH = "/console";

  private static final long serialVersionUID = 1;

  private static final Logger log = LoggerFactory.getLogger(ConsoleServlet.class);

  private static final Map<String, String> HEADERS =
      Map.of(
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

  private final String contentPolicy;

  /**
   * @param parts what the pages use, such as the stores; the console does not close them
   */
  public ConsoleServlet(List<Object> parts, Settings settings) {
    super(context(parts));
    contentPolicy = contentPolicy(settings);
  }

  /**
   * Only our own scripts, styles and requests are allowed; product pictures may come from
   * merchants' hosts, and from where the settings have ours.
   */
  private static String contentPolicy(Settings settings) {
    StringBuilder images = new StringBuilder("'self' https: data:");
    for (Setting<String> place : List.of(PictureSettings.BASE_URL, PictureSettings.S3_PUBLIC_URL)) {
      String url = settings.get(place);
      if (url.startsWith("http://")) {
        images.append(" http://").append(URI.create(url).getAuthority());
      }
    }
    return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
        + " font-src 'self'; img-src %s; form-action 'self'; base-uri 'none';".formatted(images)
        + " frame-ancestors 'none'";
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

  /**
   * Requests one page, which initializes the console before its first visitor.
   *
   * @param server the server's own address, which its certificate need not name
   */
  public static void prepare(String server) {
    int status;
    try {
      URL page = URI.create(server + PATH + "/sign-in").toURL();
      URLConnection connection = page.openConnection(Proxy.NO_PROXY);
      if (connection instanceof HttpsURLConnection secure) {
        secure.setSSLSocketFactory(TrustAnyCertificate.trusting().getSocketFactory());
        secure.setHostnameVerifier((_, _) -> true);
      }
      HttpURLConnection http = (HttpURLConnection) connection;
      status = http.getResponseCode();
      http.disconnect();
    } catch (IOException unreachable) {
      log.warn("The server cannot connect to itself, so the first page takes seconds", unreachable);
      return;
    }
    if (status != HttpURLConnection.HTTP_OK) {
      throw new IllegalStateException("The console does not work: status " + status);
    }
  }

  @Override
  protected void doService(HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    HEADERS.forEach(response::setHeader);
    response.setHeader("Content-Security-Policy", contentPolicy);
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
