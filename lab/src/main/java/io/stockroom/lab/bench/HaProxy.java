package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** HAProxy with the configuration that ships, in front of the server. */
final class HaProxy {
  private static final String BIND = "bind :8000";
  private static final String NODE = "127.0.0.1:8080 port 8081";

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
    if (!shipped.contains(BIND) || !shipped.contains(NODE)) {
      throw new BenchException("stockroom.cfg no longer contains: " + BIND + ", " + NODE);
    }
    int port = ServerUnderTest.freePort();
    String configuration =
        shipped
            .replace(BIND, "bind 127.0.0.1:" + port)
            .replace(NODE, "127.0.0.1:%d port %d".formatted(serverPort, serverPort + 1));
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), configuration);
    var _ =
        tools.start(
            new ProcessBuilder(List.of("haproxy", "-db", "-f", file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("haproxy.log").toFile()));
    return port;
  }
}
