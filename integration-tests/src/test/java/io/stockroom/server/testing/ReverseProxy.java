package io.stockroom.server.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A reverse proxy of this machine with the configuration that ships. It listens with TLS, as it
 * ships, and also without. A test is skipped where the program is missing.
 */
public final class ReverseProxy implements AutoCloseable {
  private static final Path PACKAGING = Path.of("..", "packaging").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Another program may take a free port before the proxy does. */
  private static final int ATTEMPTS = 3;

  public enum Kind {
    HAPROXY,
    NGINX,
    CADDY;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The program; ordinary accounts may not have its folder in their path. */
    private Optional<String> program() {
      String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
      return List.of(path.split(File.pathSeparator, -1)).stream()
          .map(folder -> Path.of(folder, word()))
          .filter(Files::isExecutable)
          .map(Path::toString)
          .findFirst();
    }
  }

  /** Two nodes of HAProxy; the other proxies use the first. */
  public record Nodes(int first, int firstAdmin, int second, int secondAdmin) {
    public static Nodes only(TestServer server) {
      return new Nodes(server.port(), server.adminPort(), server.port(), server.adminPort());
    }
  }

  private final Kind kind;
  private final Path folder;
  private final Process process;
  private final int port;
  private final int tlsPort;

  private ReverseProxy(
      Kind kind, Path folder, Nodes nodes, TestCertificate certificate, UnaryOperator<String> edit)
      throws IOException {
    this.kind = kind;
    this.folder = Files.createTempDirectory(folder, kind.word());
    this.port = freePort();
    this.tlsPort = freePort();
    Map<String, String> files = certificate.write(this.folder);
    ProcessBuilder builder =
        switch (kind) {
          case HAPROXY -> haproxy(nodes, files, edit);
          case NGINX -> nginx(nodes, files);
          case CADDY -> caddy(nodes, files);
        };
    this.process =
        builder
            .directory(this.folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log().toFile())
            .start();
  }

  /** Starts it in front of one server. */
  public static ReverseProxy start(
      Kind kind, Path folder, TestServer server, TestCertificate certificate) throws IOException {
    return start(kind, folder, Nodes.only(server), certificate, text -> text);
  }

  /**
   * Starts it.
   *
   * @param edit changes HAProxy's configuration
   */
  public static ReverseProxy start(
      Kind kind, Path folder, Nodes nodes, TestCertificate certificate, UnaryOperator<String> edit)
      throws IOException {
    assumeThat(kind.program()).as(kind.word() + " is installed").isPresent();
    for (int attempt = 1; ; attempt++) {
      ReverseProxy proxy = new ReverseProxy(kind, folder, nodes, certificate, edit);
      boolean listens =
          Eventually.within(PATIENCE, () -> !proxy.process.isAlive() || proxy.listens());
      if (listens && proxy.process.isAlive()) {
        return proxy;
      }
      proxy.close();
      assertThat(attempt).as(Files.readString(proxy.log())).isLessThan(ATTEMPTS);
    }
  }

  /** The port without TLS. */
  public int port() {
    return port;
  }

  public int tlsPort() {
    return tlsPort;
  }

  private ProcessBuilder haproxy(Nodes nodes, Map<String, String> files, UnaryOperator<String> edit)
      throws IOException {
    String plain = "frontend stockroom\n  bind 127.0.0.1:%d\n".formatted(port);
    String text =
        edit.apply(replace(shipped("haproxy/stockroom.cfg"), "frontend stockroom\n", plain));
    Path both = folder.resolve("both.pem");
    Files.writeString(
        both,
        Files.readString(Path.of(files.get("tls.certificate")))
            + Files.readString(Path.of(files.get("tls.key"))));
    ProcessBuilder builder =
        new ProcessBuilder(
            kind.program().orElseThrow(), "-db", "-f", write("haproxy.cfg", text).toString());
    builder
        .environment()
        .putAll(
            Map.of(
                "BIND", "127.0.0.1:" + tlsPort,
                "CERTIFICATE", both.toString(),
                "NODE1", "127.0.0.1:" + nodes.first(),
                "NODE1_ADMIN", "127.0.0.1:" + nodes.firstAdmin(),
                "NODE2", "127.0.0.1:" + nodes.second(),
                "NODE2_ADMIN", "127.0.0.1:" + nodes.secondAdmin()));
    return builder;
  }

  private ProcessBuilder nginx(Nodes nodes, Map<String, String> files) throws IOException {
    String text = shipped("nginx/stockroom.conf");
    text = replace(text, "127.0.0.1:8080", "127.0.0.1:" + nodes.first());
    text =
        replace(
            text,
            "listen 443 ssl http2;",
            "listen 127.0.0.1:%d ssl http2; listen 127.0.0.1:%d;".formatted(tlsPort, port));
    String live = "/etc/letsencrypt/live/stock.example/";
    text = replace(text, live + "fullchain.pem", files.get("tls.certificate"));
    text = replace(text, live + "privkey.pem", files.get("tls.key"));
    Path main =
        write(
            "nginx.conf",
            """
            daemon off;
            master_process off;
            pid nginx.pid;
            events { worker_connections 4096; }
            http {
              access_log off;
              client_body_temp_path body;
              proxy_temp_path proxy;
              fastcgi_temp_path fastcgi;
              uwsgi_temp_path uwsgi;
              scgi_temp_path scgi;
              include %s;
            }
            """
                .formatted(write("site.conf", text)));
    return new ProcessBuilder(
        kind.program().orElseThrow(),
        "-e",
        "stderr",
        "-p",
        folder.toString(),
        "-c",
        main.toString());
  }

  private ProcessBuilder caddy(Nodes nodes, Map<String, String> files) throws IOException {
    String text = replace(shipped("caddy/Caddyfile"), "127.0.0.1:8080", ":" + nodes.first());
    String site = "stock.example {\n";
    String sites = text.substring(text.indexOf(site));
    String tls =
        "https://localhost:%d {\n tls %s %s\n"
            .formatted(tlsPort, files.get("tls.certificate"), files.get("tls.key"));
    text =
        "{\n admin off\n auto_https off\n default_bind 127.0.0.1\n}\n"
            + replace(sites, site, tls)
            + replace(sites, site, "http://127.0.0.1:%d {\n".formatted(port));
    ProcessBuilder builder =
        new ProcessBuilder(
            kind.program().orElseThrow(),
            "run",
            "--adapter",
            "caddyfile",
            "--config",
            write("Caddyfile", text).toString());
    // where it would store certificates
    builder.environment().put("XDG_DATA_HOME", folder.toString());
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    return builder;
  }

  private static String shipped(String file) throws IOException {
    return Files.readString(PACKAGING.resolve(file));
  }

  private static String replace(String text, String from, String to) {
    assertThat(text).contains(from);
    return text.replace(from, to);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path log() {
    return folder.resolve("log");
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** A port that nothing listens on. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public String toString() {
    return kind.word();
  }

  @Override
  public void close() {
    process.destroy();
    if (!Eventually.within(PATIENCE, () -> !process.isAlive())) {
      process.destroyForcibly();
    }
  }
}
