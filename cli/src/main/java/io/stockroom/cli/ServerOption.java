package io.stockroom.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the server's address. */
final class ServerOption {
  private static final String DEFAULT = "http://localhost:8080";

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "The server's address (default: STOCKROOM_SERVER, else " + DEFAULT + ").")
  private @Nullable String server;

  /** Whether the address comes from the command line. */
  boolean isTyped() {
    return server != null;
  }

  /** The address without a trailing slash. */
  URI address(Shell shell) {
    if (server != null) {
      return address(server, "--server");
    }
    String variable = shell.variable("STOCKROOM_SERVER");
    return variable == null ? URI.create(DEFAULT) : address(variable, "STOCKROOM_SERVER");
  }

  /** Like {@link #address(Shell)}, but a profile may name the server. */
  URI address(Shell shell, AccessOptions access) {
    if (server != null) {
      return address(server, "--server");
    }
    return access
        .namedServer(shell)
        .or(
            () ->
                shell.variable("STOCKROOM_SERVER") == null
                    ? access.currentServer(shell)
                    : Optional.empty())
        .map(stored -> address(stored, "The server of the profile"))
        .orElseGet(() -> address(shell));
  }

  /** Parses the address from {@code source}. */
  static URI address(String text, String source) {
    if (!text.matches("(?i)https?://.*")) {
      String guess = text.matches("[\\w.\\-]+(:\\d+)?") ? "http://" + text : DEFAULT;
      throw CommandException.usage(
          "%s is '%s', which is not a server address; write it like %s"
              .formatted(source, text, guess));
    }
    try {
      URI address = new URI(text.replaceFirst("/+$", ""));
      if (address.getHost() == null
          || address.getRawQuery() != null
          || address.getRawFragment() != null) {
        throw new URISyntaxException(text, "host only");
      }
      String scheme = address.getScheme();
      return URI.create(
          scheme.toLowerCase(Locale.ROOT) + address.toString().substring(scheme.length()));
    } catch (URISyntaxException e) {
      throw CommandException.usage(
          "%s is '%s', which is not a server address; write it like %s"
              .formatted(source, text, DEFAULT));
    }
  }
}
