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
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.jvm.JvmMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.logging.logback.LogbackMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.system.SystemMetricsAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.actuate.web.ServletManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatServletManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.metrics.TomcatMetricsAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.actuate.endpoint.web.WebMvcHealthEndpointExtensionAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * What is used of Spring Boot, by name: to have it look for all that could be used took half a
 * second of every start. No filter stands before a request, and Spring MVC serves the health checks
 * alone; the console brings its own, in a context that is made when it is first asked for.
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
  CompositeMeterRegistryAutoConfiguration.class,
  MetricsAutoConfiguration.class,
  PrometheusMetricsExportAutoConfiguration.class,
  JvmMetricsAutoConfiguration.class,
  LogbackMetricsAutoConfiguration.class,
  SystemMetricsAutoConfiguration.class,
  ServletManagementContextAutoConfiguration.class,
  TomcatServletManagementContextAutoConfiguration.class,
  TomcatMetricsAutoConfiguration.class,
  SslAutoConfiguration.class,
  TomcatServletWebServerAutoConfiguration.class,
  WebMvcHealthEndpointExtensionAutoConfiguration.class
})
class Framework {}
