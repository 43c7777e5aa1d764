package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.option;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom call}. */
final class CallCommand {
  private CallCommand() {}

  static CommandSpec make(Shell shell) {
    AccessOptions access = new AccessOptions();
    ServerOption server = new ServerOption();
    return CommandDefinition.local("call", given -> run(access, server, given))
        .does(
            "Sign a request to the interface, send it and print the response.",
            "key=value arguments are sent as a form, --body as JSON. The exit code is 0 if the"
                + " response is 200 with success true.")
        .examples(
            "stockroom call /Stock/Product page=1",
            "stockroom call /Stock/List productid=17",
            "stockroom call /Stock/Creat --body stock.json",
            "stockroom call /Stock/Creat --body stock.json --sign-method hmac-sha256",
            "stockroom call /Usage --profile demo",
            "(without a profile, set STOCKROOM_APPID, STOCKROOM_SECRET and STOCKROOM_TOKEN)")
        .with(
            argument("PATH", "The path of the call, such as /Stock/List."),
            argument("key=value", "Form fields.").many(),
            option("--body", "FILE", "Send this file as the JSON body; - for standard input."),
            SignMethod.option(
                "--sign-method",
                "Signature method: md5, or hmac-sha256 over the whole request (default: md5)."))
        .mixin(access)
        .mixin(server)
        .json("Print status, headers and body of the response as one JSON object.")
        .spec(shell);
  }

  private static int run(AccessOptions access, ServerOption server, Given given) {
    List<String> fields = given.list("key=value");
    boolean isJson = given.has("--body");
    if (isJson && !fields.isEmpty()) {
      throw CommandException.usage(
          "Use either --body or '%s': a request is JSON or a form.".formatted(fields.getFirst()));
    }
    Shell shell = given.shell();
    InterfaceApi api =
        new InterfaceApi(
            new ServerConnection(server.address(shell, access)),
            access.credentials(shell),
            SignMethod.of(given, "--sign-method"),
            null);
    byte[] content = isJson ? given.body("--body") : form(fields).getBytes(StandardCharsets.UTF_8);
    String type = isJson ? InterfaceApi.JSON : InterfaceApi.FORM;
    ServerConnection.Answer answer = api.send(slashed(given.text("PATH")), type, content);
    Optional<JsonNode> parsed = Json.parse(answer.body());
    given.output().show(() -> asJson(answer, parsed), () -> show(answer, parsed, shell));
    return conclude(answer, parsed, given.output());
  }

  private static String slashed(String path) {
    if (path.contains("://")) {
      throw CommandException.usage(
          "PATH is '%s'; pass only the path, such as /Stock/List, and the server with --server."
              .formatted(path));
    }
    return path.startsWith("/") ? path : "/" + path;
  }

  private static String form(List<String> fields) {
    return fields.stream().map(CallCommand::field).collect(Collectors.joining("&"));
  }

  private static String field(String field) {
    int equals = field.indexOf('=');
    if (equals < 1) {
      throw CommandException.usage(
          "'%s' is not key=value; a form field looks like page=1".formatted(field));
    }
    return InterfaceApi.encoded(field.substring(0, equals))
        + "="
        + InterfaceApi.encoded(field.substring(equals + 1));
  }

  private static ObjectNode asJson(ServerConnection.Answer answer, Optional<JsonNode> parsed) {
    ObjectNode object = Json.object().put("status", answer.status());
    ObjectNode headers = object.putObject("headers");
    answer.headers().map().forEach((name, values) -> headers.put(name, String.join(", ", values)));
    parsed.ifPresentOrElse(
        tree -> object.set("body", tree), () -> object.put("body", text(answer)));
    return object;
  }

  /** The limits are on the first line; everything after it is the body. */
  private static void show(ServerConnection.Answer answer, Optional<JsonNode> parsed, Shell shell) {
    String limits =
        Stream.of("Retry-After", "RateLimit", "RateLimit-Policy")
            .filter(name -> !answer.header(name).isEmpty())
            .map(name -> "  " + name + ": " + answer.header(name))
            .collect(Collectors.joining());
    shell.out().println(Output.printable(answer.statusLine() + limits));
    if (shell.outIsTerminal()) {
      shell.out().println(parsed.map(Json::pretty).orElseGet(() -> Output.printable(text(answer))));
    } else {
      shell.out().writeBytes(answer.body());
      shell.out().println();
    }
  }

  private static int conclude(
      ServerConnection.Answer answer, Optional<JsonNode> parsed, Output output) {
    boolean isSuccess = parsed.map(tree -> tree.path("success").asBoolean(false)).orElse(false);
    if (answer.status() == 200 && isSuccess) {
      return 0;
    }
    String message = parsed.map(tree -> tree.path("msg").asString("")).orElse("");
    if (message.isBlank()) {
      message = parsed.isEmpty() ? "the response is not JSON" : "the response gives no reason";
    }
    output.problem("The call failed (%s): %s".formatted(answer.statusLine(), message));
    return 1;
  }

  private static String text(ServerConnection.Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
