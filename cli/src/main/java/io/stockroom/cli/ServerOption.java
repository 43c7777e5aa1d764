package io.stockroom.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server a command talks to. */
final class ServerOption {
  private static final String DEFAULT = "http://localhost:8080";

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "The server's address (default: STOCKROOM_SERVER, else " + DEFAULT + ").")
  private @Nullable String server;

  /** Whether the address was typed, not taken from the environment. */
  boolean isTyped() {
    return server != null;
  }

  /** The address without a slash at its end, so that a path can follow it. */
  URI address(Shell shell) {
    if (server != null) {
      return address(server, "--server");
    }
    String variable = shell.variable("STOCKROOM_SERVER");
    return variable == null ? URI.create(DEFAULT) : address(variable, "STOCKROOM_SERVER");
  }

  /** As {@link #address(Shell)}, where a profile may say which server it is for. */
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

  /** The address {@code text}, which {@code source} gave. */
  static URI address(String text, String source) {
    if (!text.matches("(?i)https?://.*")) {
      String guess = text.matches("[\\w.\\-]+(:\\d+)?") ? "http://" + text : DEFAULT;
      throw CommandFailure.usage(
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
      throw CommandFailure.usage(
          "%s is '%s', which is not a server address; write it like %s"
              .formatted(source, text, DEFAULT));
    }
  }
}
