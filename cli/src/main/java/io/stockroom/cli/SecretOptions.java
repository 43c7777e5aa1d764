package io.stockroom.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the secret, and the profile that may contain it. */
final class SecretOptions {
  private static final int MAX_SECRET_BYTES = 4096;

  @Option(
      names = "--secret",
      paramLabel = "SECRET",
      description = "The application's secret (default: STOCKROOM_SECRET).")
  private @Nullable String secret;

  @Option(
      names = "--secret-env",
      paramLabel = "NAME",
      description = "Read the secret from this environment variable.")
  private @Nullable String secretVariable;

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = "Read the secret from this file; a trailing line break is ignored.")
  private @Nullable Path secretFile;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "Use this stored profile (see: stockroom profile --help).")
  private @Nullable String profile;

  /** The secret from any of the command-line options. */
  Optional<String> named(Shell shell) {
    boolean twice =
        (secret != null && (secretVariable != null || secretFile != null))
            || (secretVariable != null && secretFile != null);
    if (twice) {
      throw CommandException.usage("Pass only one of --secret, --secret-env and --secret-file.");
    }
    if (secretVariable != null) {
      String value = shell.variable(secretVariable);
      if (value == null) {
        throw CommandException.usage(
            "--secret-env names %s, which is not set.".formatted(secretVariable));
      }
      return Optional.of(value);
    }
    if (secretFile != null) {
      try (InputFile input = InputFile.open(secretFile, shell)) {
        String text = new String(input.read(MAX_SECRET_BYTES), StandardCharsets.UTF_8);
        return Optional.of(text.strip());
      }
    }
    return Optional.ofNullable(secret);
  }

  /** The secret from the command line, else from the environment. */
  Optional<String> given(Shell shell) {
    return named(shell).or(() -> Optional.ofNullable(shell.variable("STOCKROOM_SECRET")));
  }

  /** The profile named on the command line. */
  Optional<Profile> namedProfile(Shell shell) {
    return Optional.ofNullable(profile).map(name -> Profiles.of(shell).get(name));
  }

  /** The default profile. */
  static Optional<Profile> currentProfile(Shell shell) {
    return Profiles.find(shell).flatMap(known -> Optional.ofNullable(known.current()));
  }

  /**
   * The secret for signing: from the command line, a named profile, the environment, or the default
   * profile.
   */
  Optional<String> secret(Shell shell) {
    return named(shell)
        .or(() -> namedProfile(shell).map(known -> known.credentials().secret()))
        .or(() -> given(shell))
        .or(() -> currentProfile(shell).map(known -> known.credentials().secret()));
  }
}
