package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;
import static io.stockroom.cli.CommandOption.repeated;

import io.stockroom.client.Credentials;
import java.net.URI;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** {@code stockroom conform}. */
final class ConformCommand {
  private static final CommandOption SERVER =
      option(
          "--base-url, --server",
          "URL",
          "The server's address (default: STOCKROOM_SERVER, else http://localhost:8080).");

  private ConformCommand() {}

  static CommandSpec make(Shell shell) {
    AccessOptions access = new AccessOptions();
    return CommandDefinition.local("conform", given -> run(access, given))
        .does(
            "Test a server of the interface against every rule of its contract.",
            "Writes stock only to the products named with --pid, in colors that start with"
                + " 'conform', and cannot delete it. Fetches seven product details of the first"
                + " product. The exit code is 0 only if every rule holds.")
        .examples(
            "stockroom conform --pid 1 --pid 2",
            "stockroom conform --base-url https://api.example.com --basis interface \\",
            "    --appid APPID --secret SECRET --token TOKEN --pid 17 --allow-skipped",
            "stockroom conform --only signing --only create.range --pid 1 --junit c.xml",
            "stockroom conform --list")
        .with(
            SERVER,
            repeated("--pid", "PID", "A product of the merchant for test stock; repeatable.")
                .each(Values::integer),
            option("--foreign-pid", "PID", "A product of another merchant, which must stay hidden.")
                .as(Integer.class),
            option(
                "--foreign-token",
                "TOKEN",
                "An access token of another application, which must be rejected."),
            option(
                "--pace",
                "PERIOD",
                "Time between two creates; PT0S for no rate limit (default: PT2S, 2 seconds)."),
            repeated("--only", "RULE", "Test only this rule or group; repeatable."),
            option(
                "--basis",
                "BASIS",
                "Test only rules that the interface itself defines (interface), or only those that"
                    + " Stockroom adds (settled)."),
            flag("--allow-skipped", "Do not fail because of skipped rules."),
            option("--junit", "FILE", "Write the results to this file as JUnit XML."),
            flag("--list", "List the rules without testing."))
        .mixin(access)
        .json("Print the results as one JSON object.")
        .spec(shell);
  }

  private static int run(AccessOptions access, Given given) {
    Conformance conformance = new Conformance(given);
    if (given.has("--list")) {
      conformance.list();
      return 0;
    }
    URI server = address(access, given);
    Credentials credentials = access.credentials(given.shell());
    List<Integer> products = given.list("--pid").stream().map(Integer::valueOf).toList();
    for (int product : products) {
      if (product < 1) {
        throw CommandException.usage("'%d' is not a product id; ids start at 1".formatted(product));
      }
    }
    conformance.run(
        new Conformance.Means(
            server,
            credentials,
            products,
            given.value("--foreign-pid") instanceof Integer pid ? pid : null,
            given.orNull("--foreign-token"),
            period(given.has("--pace") ? given.text("--pace") : "PT2S")),
        given.path("--junit"));
    return conformance.exitCode(given.has("--allow-skipped"));
  }

  private static URI address(AccessOptions access, Given given) {
    return given.has("--base-url")
        ? ServerOption.address(given.text("--base-url"), "--base-url")
        : new ServerOption().address(given.shell(), access);
  }

  private static Duration period(String pace) {
    try {
      Duration period = Duration.parse(pace);
      if (!period.isNegative() && period.compareTo(Duration.ofMinutes(1)) <= 0) {
        return period;
      }
    } catch (DateTimeParseException e) {
      throw noPace(pace, e);
    }
    throw noPace(pace, null);
  }

  private static CommandException noPace(String pace, @Nullable Exception cause) {
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
