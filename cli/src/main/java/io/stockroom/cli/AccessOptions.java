package io.stockroom.cli;

import io.stockroom.client.Credentials;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** As whom a command calls the interface. */
final class AccessOptions {
  @Option(
      names = "--appid",
      paramLabel = "APPID",
      description = "The application (default: STOCKROOM_APPID).")
  private @Nullable String appid;

  @Option(
      names = "--secret",
      paramLabel = "SECRET",
      description = "The application's secret (default: STOCKROOM_SECRET).")
  private @Nullable String secret;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "The access token (default: STOCKROOM_TOKEN).")
  private @Nullable String token;

  Credentials credentials(Shell shell) {
    @Nullable String usedAppid = appid == null ? shell.variable("STOCKROOM_APPID") : appid;
    @Nullable String usedSecret = secret == null ? shell.variable("STOCKROOM_SECRET") : secret;
    @Nullable String usedToken = token == null ? shell.variable("STOCKROOM_TOKEN") : token;
    if (usedAppid != null && usedSecret != null && usedToken != null) {
      return new Credentials(usedAppid, usedSecret, usedToken);
    }
    String missing =
        Stream.of(
                usedAppid == null ? "--appid (or STOCKROOM_APPID)" : "",
                usedSecret == null ? "--secret (or STOCKROOM_SECRET)" : "",
                usedToken == null ? "--token (or STOCKROOM_TOKEN)" : "")
            .filter(option -> !option.isEmpty())
            .collect(Collectors.joining(", "));
    throw CommandFailure.usage("A call is signed, and this one lacks " + missing + ".");
  }
}
