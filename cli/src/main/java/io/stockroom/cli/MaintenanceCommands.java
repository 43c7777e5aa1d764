package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.post;
import static io.stockroom.cli.CommandOption.argument;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code stockroom mail} and {@code stockroom key}. */
final class MaintenanceCommands {
  private MaintenanceCommands() {}

  static CommandSpec mail(Shell shell) {
    return CommandDefinition.group(
        shell,
        "mail",
        "Test the mail server that the settings mail.* name.",
        List.of("stockroom mail test li@example.com"),
        post("test", "/admin/mail/test")
            .does(
                "Send a test email and print the dialog with the mail server.",
                "The exit code is 1 if the mail server did not accept it.")
            .examples(
                "stockroom mail test li@example.com", "stockroom mail test li@example.com --json")
            .with(argument("ADDRESS", "The recipient's email address.").field("to"))
            .calls(MaintenanceCommands::sendMail)
            .prints(
                (answer, given) ->
                    given
                        .output()
                        .line(
                            dialog(answer)
                                + "The mail server accepted the email: "
                                + answer.path("answer").asString(""))));
  }

  private static JsonNode sendMail(Given given) {
    JsonNode answer = given.api().post("/admin/mail/test", given.body());
    if (!answer.path("sent").asBoolean(false)) {
      throw CommandException.answered(
          "%sThe email was not sent: %s. To check the settings: stockroom settings"
              .formatted(dialog(answer), answer.path("answer").asString("")),
          answer);
    }
    return answer;
  }

  private static String dialog(JsonNode answer) {
    return answer
        .path("dialog")
        .valueStream()
        .map(line -> "  " + line.asString("") + "\n")
        .collect(Collectors.joining());
  }

  static CommandSpec key(Shell shell) {
    return CommandDefinition.group(
        shell,
        "key",
        "Rotate the key that encrypts the applications' secrets.",
        List.of("stockroom key rotate"),
        post("rotate", "/admin/keys/rotate")
            .does(
                "Encrypt every stored secret with the new key.",
                "Secrets and tokens do not change, and applications are not affected.")
            .examples("stockroom key rotate", "stockroom key rotate --json")
            .calls(given -> given.api().work("/admin/keys/rotate"))
            .prints(
                (answer, given) -> {
                  long resealed = answer.path("resealed").asLong(0);
                  String secrets = Values.count(resealed, "secret is", "secrets are");
                  given.output().line(secrets + " encrypted with the new key.");
                }));
  }
}
