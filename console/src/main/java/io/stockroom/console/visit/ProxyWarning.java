package io.stockroom.console.visit;

import io.stockroom.core.settings.Settings;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once if a proxy with TLS seems to be in front of the console but {@code base-url} does not
 * say so: the cookies are not Secure then, because the server sees only plain HTTP.
 */
final class ProxyWarning {
  private static final Logger log = LoggerFactory.getLogger(ProxyWarning.class);

  private final boolean isHttps;
  private final AtomicBoolean isGiven = new AtomicBoolean();

  ProxyWarning(Settings settings) {
    String baseUrl = settings.get(Settings.BASE_URL);
    isHttps = baseUrl.startsWith("https:") || !settings.get(Settings.TLS_CERTIFICATE).isEmpty();
    if (baseUrl.isEmpty() && !settings.get(Settings.TRUSTED_PROXIES).isEmpty()) {
      warn("trusted-proxies is set, but base-url is not");
    }
  }

  void notice(HttpServletRequest request) {
    if (!isHttps && "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto"))) {
      warn(
          "A proxy forwards requests that came over https, but base-url does not begin with https");
    }
  }

  private void warn(String cause) {
    if (!isHttps && isGiven.compareAndSet(false, true)) {
      log.warn(
          "{}. So the console's cookies are not Secure, and browsers also send them over plain"
              + " HTTP. Set base-url to the public URL of the server, such as"
              + " https://stock.example",
          cause);
    }
  }
}
