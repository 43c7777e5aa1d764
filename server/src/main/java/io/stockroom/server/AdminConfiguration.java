package io.stockroom.server;

import io.stockroom.core.access.Throttle;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.audit.FailedAttempts;
import io.stockroom.core.http.Addresses;
import io.stockroom.core.http.Languages;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.admin.AdminRoutes;
import io.stockroom.server.admin.AdminServlet;
import java.time.Clock;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.TomcatWebServerFactoryCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

/**
 * Configures the admin API and the limits of the admin port. Spring Boot finds this class by name
 * in {@code META-INF/spring}; its context is a child of that of {@link ServerConfiguration}.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ImportAutoConfiguration(LifecycleAutoConfiguration.class)
class AdminConfiguration {
  @Bean
  ServletRegistrationBean<AdminServlet> adminServlet(
      AdminRoutes routes,
      ServerKeys keys,
      ConcurrencyLimits limits,
      FailedAttempts failures,
      Addresses addresses,
      Languages languages,
      Clock clock,
      Settings settings) {
    Throttle throttle = new Throttle(clock, settings.get(Settings.FAILED_AUTHENTICATIONS));
    return ServerConfiguration.servlet(
        new AdminServlet(routes, keys.operator(), limits, throttle, failures, addresses, languages),
        "/admin/*");
  }

  /** Applies the limits of the public port; this context would otherwise use Tomcat's defaults. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> adminBounds(
      TomcatWebServerFactoryCustomizer sameAsPublic) {
    return factory -> {
      sameAsPublic.customize(factory);
      factory.setShutdown(Shutdown.GRACEFUL);
      TomcatLimits.ofAdminPort().customize(factory);
    };
  }
}
