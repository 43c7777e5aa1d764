package io.stockroom.cli;

import io.stockroom.client.Credentials;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "conform",
    description = {
      "Test a server of the interface against every rule of its contract.",
      "Writes stock only to the products named with --pid, in colors that start with"
          + " 'conform', and cannot delete it. Fetches seven product details of the first product."
          + " The exit code is 0 only if every rule holds."
    },
    footer = {
      "  stockroom conform --pid 1 --pid 2",
      "  stockroom conform --base-url https://api.example.com --basis interface \\",
      "      --appid APPID --secret SECRET --token TOKEN --pid 17 --allow-skipped",
      "  stockroom conform --only signing --only create.range --pid 1 --junit c.xml",
      "  stockroom conform --list"
    })
final class ConformCommand implements Callable<Integer> {
  private final Shell shell;

  @Option(
      names = {"--base-url", "--server"},
      paramLabel = "URL",
      description = "The server's address (default: STOCKROOM_SERVER, else http://localhost:8080).")
  private @Nullable String baseUrl;

  @Mixin private final AccessOptions access = new AccessOptions();

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "A product of the merchant for test stock; repeatable.")
  private List<Integer> products = new ArrayList<>();

  @Option(
      names = "--foreign-pid",
      paramLabel = "PID",
      description = "A product of another merchant, which must stay hidden.")
  private @Nullable Integer foreignProduct;

  @Option(
      names = "--foreign-token",
      paramLabel = "TOKEN",
      description = "An access token of another application, which must be rejected.")
  private @Nullable String foreignToken;

  @Option(
      names = "--pace",
      paramLabel = "PERIOD",
      description = "Time between two creates; PT0S for no rate limit (default: PT2S, 2 seconds).")
  private String pace = "PT2S";

  @Option(
      names = "--only",
      paramLabel = "RULE",
      description = "Test only this rule or group; repeatable.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--basis",
      paramLabel = "BASIS",
      description =
          "Test only rules that the interface itself defines (interface), or only those that"
              + " Stockroom adds (settled).")
  private @Nullable String basis;

  @Option(names = "--allow-skipped", description = "Do not fail because of skipped rules.")
  private boolean allowSkipped;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Write the results to this file as JUnit XML.")
  private @Nullable Path junit;

  @Option(names = "--list", description = "List the rules without testing.")
  private boolean list;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  private boolean json;

  ConformCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    Conformance conformance = new Conformance(shell, json, only, basis);
    if (list) {
      conformance.list();
      return 0;
    }
    URI server = address();
    Credentials credentials = access.credentials(shell);
    for (int product : products) {
      if (product < 1) {
        throw CommandException.usage("'%d' is not a product id; ids start at 1".formatted(product));
      }
    }
    conformance.run(
        new Conformance.Means(
            server, credentials, products, foreignProduct, foreignToken, period()),
        junit);
    return conformance.exitCode(allowSkipped);
  }

  private URI address() {
    String given = baseUrl;
    return given == null
        ? new ServerOption().address(shell, access)
        : ServerOption.address(given, "--base-url");
  }

  private Duration period() {
    try {
      Duration period = Duration.parse(pace);
      if (!period.isNegative() && period.compareTo(Duration.ofMinutes(1)) <= 0) {
        return period;
      }
    } catch (DateTimeParseException e) {
      throw noPace(e);
    }
    throw noPace(null);
  }

  private CommandException noPace(@Nullable Exception cause) {
    CommandException failure =
        CommandException.usage(
            "--pace is '%s'; pass a duration from PT0S to PT1M, such as PT2S for 2 seconds"
                .formatted(pace));
    if (cause != null) {
      failure.addSuppressed(cause);
    }
    return failure;
  }
}
