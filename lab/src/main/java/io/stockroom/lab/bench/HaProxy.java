package io.stockroom.lab.bench;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** HAProxy with the configuration that ships, in front of the server. */
final class HaProxy {
  /** Clients of a benchmark are not to measure TLS. */
  private static final String TLS = " ssl crt \"${CERTIFICATE}\" alpn h2,http/1.1";

  private static final Duration MAX_START = Duration.ofSeconds(10);

  private HaProxy() {}

  /**
   * Starts it; {@code tools} stop it.
   *
   * @return its port
   */
  static int start(Tools tools, Path root, Path folder, int serverPort) throws IOException {
    if (!Tools.isThere("haproxy")) {
      throw new BenchException("--haproxy needs haproxy (Debian: apt install haproxy).");
    }
    String shipped = Files.readString(root.resolve("packaging/haproxy/stockroom.cfg"));
    if (!shipped.contains(TLS)) {
      throw new BenchException("stockroom.cfg no longer contains:" + TLS);
    }
    int port = ServerUnderTest.freePort();
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), shipped.replace(TLS, ""));
    int nobody = ServerUnderTest.freePort();
    ProcessBuilder builder = new ProcessBuilder(List.of("haproxy", "-db", "-f", file.toString()));
    builder
        .environment()
        .putAll(
            Map.of(
                "BIND", "127.0.0.1:" + port,
                "NODE1", "127.0.0.1:" + serverPort,
                "NODE1_ADMIN", "127.0.0.1:" + (serverPort + 1),
                // one server is measured
                "NODE2", "127.0.0.1:" + nobody,
                "NODE2_ADMIN", "127.0.0.1:" + nobody));
    Path log = folder.resolve("haproxy.log");
    Process process = tools.start(builder.redirectErrorStream(true).redirectOutput(log.toFile()));
    long deadline = System.nanoTime() + MAX_START.toNanos();
    while (!isReady(port)) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        throw new BenchException("HAProxy did not start. Its output:\n" + Files.readString(log));
      }
      LockSupport.parkNanos(MAX_START.toNanos() / 200);
    }
    return port;
  }

  /** Whether it has found the server to be healthy. */
  private static boolean isReady(int port) {
    try {
      URL url = URI.create("http://127.0.0.1:" + port + "/Stock/List").toURL();
      return ((HttpURLConnection) url.openConnection()).getResponseCode() != 503;
    } catch (IOException notYet) {
      return false;
    }
  }
}
