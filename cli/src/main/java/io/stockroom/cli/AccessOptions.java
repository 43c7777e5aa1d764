package io.stockroom.cli;

import io.stockroom.client.Credentials;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The credentials for calling the interface. The command line wins over a named profile, which wins
 * over the environment. The current profile is used only if no credentials are given at all, so
 * credentials from two sources never mix by accident.
 */
final class AccessOptions {
  @Option(
      names = "--appid",
      paramLabel = "APPID",
      description = "The application (default: STOCKROOM_APPID).")
  private @Nullable String appid;

  @Mixin private final SecretOptions secrets = new SecretOptions();

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "The access token (default: STOCKROOM_TOKEN).")
  private @Nullable String token;

  /** The known credentials; each part may be missing. */
  record PartialCredentials(
      @Nullable String appid, @Nullable String secret, @Nullable String token) {
    private boolean isEmpty() {
      return appid == null && secret == null && token == null;
    }

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
      return "PartialCredentials[appid=" + appid + "]";
    }
  }

  /** The credentials from all sources. */
  Credentials credentials(Shell shell) {
    return whole(parts(shell));
  }

  /** Like {@link #credentials}, but ignores the current profile. */
  Credentials givenCredentials(Shell shell) {
    return whole(given(shell));
  }

  private static Credentials whole(PartialCredentials parts) {
    if (parts.appid != null && parts.secret != null && parts.token != null) {
      return new Credentials(parts.appid, parts.secret, parts.token);
    }
    String missing =
        Stream.of(
                parts.appid == null ? "--appid (or STOCKROOM_APPID)" : "",
                parts.secret == null ? "--secret (or STOCKROOM_SECRET)" : "",
                parts.token == null ? "--token (or STOCKROOM_TOKEN)" : "")
            .filter(option -> !option.isEmpty())
            .collect(Collectors.joining(", "));
    throw CommandException.usage("The call cannot be signed without " + missing + ".");
  }

  PartialCredentials parts(Shell shell) {
    PartialCredentials given = given(shell);
    return given.isEmpty()
        ? SecretOptions.currentProfile(shell).map(AccessOptions::parts).orElse(given)
        : given;
  }

  private PartialCredentials given(Shell shell) {
    Optional<Profile> named = secrets.namedProfile(shell);
    if (named.isPresent()) {
      PartialCredentials stored = parts(named.get());
      return new PartialCredentials(
          appid == null ? stored.appid : appid,
          secrets.named(shell).orElse(stored.secret),
          token == null ? stored.token : token);
    }
    return new PartialCredentials(
        appid == null ? shell.variable("STOCKROOM_APPID") : appid,
        secrets.given(shell).orElse(null),
        token == null ? shell.variable("STOCKROOM_TOKEN") : token);
  }

  private static PartialCredentials parts(Profile profile) {
    Credentials credentials = profile.credentials();
    return new PartialCredentials(
        credentials.appid(), credentials.secret(), credentials.accesstoken());
  }

  /** The server of a named profile; it wins over the environment. */
  Optional<String> namedServer(Shell shell) {
    return secrets.namedProfile(shell).map(Profile::server).filter(server -> !server.isEmpty());
  }

  /** The server of the current profile, if its credentials are used. */
  Optional<String> currentServer(Shell shell) {
    return given(shell).isEmpty()
        ? SecretOptions.currentProfile(shell)
            .map(Profile::server)
            .filter(server -> !server.isEmpty())
        : Optional.empty();
  }
}
