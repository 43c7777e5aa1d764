package io.stockroom.server;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmCompilationMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmHeapPressureMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Serves the metrics to Prometheus. Those of the JVM start with the first request, because they
 * need JMX, which takes time at startup.
 */
final class MetricsServlet extends HttpServlet {
  static final String PATH = "/metrics";

  private static final long serialVersionUID = 1;
  private static final String PLAIN = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private final transient PrometheusMeterRegistry meters;
  private final transient Path dataFolder;
  private final transient OpenParts open = new OpenParts();

  MetricsServlet(PrometheusMeterRegistry meters, Path dataFolder) {
    this.meters = meters;
    this.dataFolder = dataFolder;
  }

  @Override
  public void init() {
    List.of(
            new JvmMemoryMetrics(),
            open.add(new JvmGcMetrics()),
            open.add(new JvmHeapPressureMetrics()),
            new JvmThreadMetrics(),
            new JvmInfoMetrics(),
            new JvmCompilationMetrics(),
            new ClassLoaderMetrics(),
            new UptimeMetrics(),
            new ProcessorMetrics(),
            new FileDescriptorMetrics(),
            new DiskSpaceMetrics(dataFolder.toFile()))
        .forEach(part -> part.bindTo(meters));
  }

  @Override
  public void destroy() {
    open.close();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String accepted = request.getHeader("Accept");
    String type =
        accepted != null && accepted.contains("application/openmetrics-text") ? OPEN : PLAIN;
    response.setContentType(type);
    meters.scrape(response.getOutputStream(), type);
  }
}
