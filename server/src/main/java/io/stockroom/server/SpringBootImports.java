package io.stockroom.server;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.jvm.JvmMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.logging.logback.LogbackMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.system.SystemMetricsAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.actuate.web.ServletManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatServletManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.actuate.endpoint.web.WebMvcHealthEndpointExtensionAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * Imports the parts of Spring Boot that the server uses. Scanning for auto-configurations would add
 * half a second to every start. Tomcat's metrics are left out: they count only HTTP sessions, which
 * nothing uses. There are no servlet filters, and Spring MVC serves only health checks; the console
 * has its own context, created on first use.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
  EndpointAutoConfiguration.class,
  JacksonEndpointAutoConfiguration.class,
  WebEndpointAutoConfiguration.class,
  ManagementContextAutoConfiguration.class,
  ConfigurationPropertiesAutoConfiguration.class,
  LifecycleAutoConfiguration.class,
  HealthEndpointAutoConfiguration.class,
  HealthContributorAutoConfiguration.class,
  HealthContributorRegistryAutoConfiguration.class,
  MetricsAutoConfiguration.class,
  PrometheusMetricsExportAutoConfiguration.class,
  JvmMetricsAutoConfiguration.class,
  LogbackMetricsAutoConfiguration.class,
  SystemMetricsAutoConfiguration.class,
  ServletManagementContextAutoConfiguration.class,
  TomcatServletManagementContextAutoConfiguration.class,
  SslAutoConfiguration.class,
  TomcatServletWebServerAutoConfiguration.class,
  WebMvcHealthEndpointExtensionAutoConfiguration.class
})
class SpringBootImports {}
