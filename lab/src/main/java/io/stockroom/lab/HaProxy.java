package io.stockroom.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** HAProxy with the configuration that ships, in front of one or two nodes. */
public final class HaProxy {
  /** TLS is not what is measured. */
  private static final String TLS = " ssl crt \"${CERTIFICATE}\" alpn h2,http/1.1";

  /** For the imports of clients; the file that ships has no admin API, which stays inside. */
  private static final String ADMIN =
      """

      listen admin
        bind "${ADMIN_BIND}"
        server node1 "${NODE1_ADMIN}" track health/node1
        server node2 "${NODE2_ADMIN}" track health/node2
      """;

  private static final Duration MAX_START = Duration.ofSeconds(30);

  private HaProxy() {}

  /** Starts it; the laboratory ends it. Returns its port. */
  public static int start(Laboratory laboratory, List<Server> nodes) {
    Path folder = laboratory.newFolder("haproxy");
    Path file = folder.resolve("haproxy.cfg");
    try {
      String shipped =
          Files.readString(Laboratory.home().resolve("packaging/haproxy/stockroom.cfg"));
      if (!shipped.contains(TLS)) {
        throw new IllegalStateException("stockroom.cfg no longer contains:" + TLS);
      }
      Files.writeString(file, shipped.replace(TLS, "") + ADMIN);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int port = laboratory.newPort();
    int first = nodes.getFirst().port();
    int second = nodes.size() > 1 ? nodes.get(1).port() : laboratory.newPort();
    Map<String, String> environment =
        Map.of(
            "BIND", "127.0.0.1:" + port,
            "ADMIN_BIND", "127.0.0.1:" + (port + 1),
            "NODE1", "127.0.0.1:" + first,
            "NODE1_ADMIN", "127.0.0.1:" + (first + 1),
            "NODE2", "127.0.0.1:" + second,
            "NODE2_ADMIN", "127.0.0.1:" + (second + 1));
    Path log = folder.resolve("haproxy.log");
    List<String> command = List.of("haproxy", "-db", "-f", file.toString());
    var _ = laboratory.processes().start(command, environment, log);
    String url = "http://127.0.0.1:%d/Stock/List".formatted(port);
    Await.until(
        MAX_START,
        "HAProxy to find a node, see " + log,
        () -> !List.of(0, 503).contains(HttpCalls.get(url).status()));
    return port;
  }
}
