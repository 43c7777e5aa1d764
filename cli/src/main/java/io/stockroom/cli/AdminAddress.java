package io.stockroom.cli;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The address of the admin API: on the admin port, by default the port after that of the interface.
 *
 * @param server the address of the interface and the console
 * @param isDerived whether the address was derived from the server's
 */
record AdminAddress(URI address, URI server, boolean isDerived) {
  static final String OPTION = "--admin-server";
  static final String VARIABLE = "STOCKROOM_ADMIN_SERVER";

  private static final int MAX_PORT = 65_535;

  /** The command line wins over the environment, even if it names only the server. */
  static AdminAddress find(@Nullable String typed, ServerOption option, Shell shell) {
    URI server = option.address(shell);
    if (typed != null) {
      return new AdminAddress(ServerOption.address(typed, OPTION), server, false);
    }
    URI derived = nextPort(server);
    String variable = shell.variable(VARIABLE);
    if (variable != null && (derived == null || !option.isTyped())) {
      return new AdminAddress(ServerOption.address(variable, VARIABLE), server, false);
    }
    if (derived == null) {
      throw CommandException.usage(
          "The admin API is not at %s: it is on the server's admin port, which cannot be derived from this address. %s"
              .formatted(server, tunnel(server.getHost())));
    }
    return new AdminAddress(derived, server, true);
  }

  /** Null if the address is a proxy's: it has TLS, a path or no port. */
  private static @Nullable URI nextPort(URI server) {
    boolean isPlain = server.getScheme().equals("http") && server.getRawPath().isEmpty();
    int port = server.getPort();
    return isPlain && port > 0 && port < MAX_PORT
        ? URI.create("http://%s:%d".formatted(server.getHost(), port + 1))
        : null;
  }

  /** What to do if there is no response from this address. */
  String advice() {
    String host = address.getHost();
    return host.matches("localhost|127\\..*|\\[::1\\]")
        ? "Start a server with: stockroom serve; or choose another one with %s%s or %s."
            .formatted(isDerived ? "--server, " : "", OPTION, VARIABLE)
        : tunnel(host);
  }

  private static String tunnel(String host) {
    return "The admin port listens only on the server's own machine. Run the command there, or open a tunnel with: ssh -L 8081:localhost:8081 %s, and add %s http://localhost:8081 (or set %s)."
        .formatted(host, OPTION, VARIABLE);
  }
}
