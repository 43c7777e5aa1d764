package io.stockroom.cli;

import io.stockroom.client.Credentials;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "call",
    description = {
      "Sign a request to the interface, send it and print the response.",
      "key=value arguments are sent as a form, --body as JSON. The exit code is 0 if the response"
          + " is 200 with success true."
    },
    footer = {
      "  stockroom call /Stock/Product page=1",
      "  stockroom call /Stock/List productid=17",
      "  stockroom call /Stock/Creat --body stock.json",
      "  stockroom call /Stock/Creat --body stock.json --sign-method hmac-sha256",
      "  stockroom call /Usage --profile demo",
      "  (without a profile, set STOCKROOM_APPID, STOCKROOM_SECRET and STOCKROOM_TOKEN)"
    })
final class CallCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  static final int MAX_BODY_BYTES = 64 << 20;

  private final Shell shell;

  @Parameters(
      index = "0",
      paramLabel = "PATH",
      description = "The path of the call, such as /Stock/List.")
  private String path = "";

  @Parameters(index = "1..*", paramLabel = "key=value", description = "Form fields.")
  private List<String> fields = new ArrayList<>();

  @Option(
      names = "--body",
      paramLabel = "FILE",
      description = "Send this file as the JSON body; - for standard input.")
  private @Nullable Path body;

  @Mixin private final AccessOptions access = new AccessOptions();

  @Option(
      names = "--sign-method",
      paramLabel = "METHOD",
      converter = SignMethod.Converter.class,
      completionCandidates = SignMethod.Words.class,
      description = "Signature method: md5, or hmac-sha256 over the whole request (default: md5).")
  private SignMethod signMethod = SignMethod.MD5;

  @Mixin private final ServerOption server = new ServerOption();

  @Option(
      names = "--json",
      description = "Print status, headers and body of the response as one JSON object.")
  private boolean json;

  CallCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    if (body != null && !fields.isEmpty()) {
      throw CommandException.usage(
          "Use either --body or '%s': a request is JSON or a form.".formatted(fields.getFirst()));
    }
    ServerConnection connection = new ServerConnection(server.address(shell, access));
    ServerConnection.Answer answer = connection.send(request(connection));
    Optional<JsonNode> parsed = Json.parse(answer.body());
    Output output = new Output(shell, json);
    output.show(() -> asJson(answer, parsed), () -> show(answer, parsed));
    return conclude(answer, parsed, output);
  }

  private HttpRequest request(ServerConnection connection) {
    Credentials credentials = access.credentials(shell);
    String endpoint = slashed(path);
    byte[] content = content();
    try {
      HttpRequest.Builder request =
          connection
              .request(endpoint)
              .timeout(TIMEOUT)
              .header(
                  "Content-Type",
                  body == null ? "application/x-www-form-urlencoded" : "application/json")
              .POST(BodyPublishers.ofByteArray(content));
      headers(credentials, endpoint, content).forEach(request::header);
      return request.build();
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(
          "The request is invalid: %s. Check PATH, --appid and --token for spaces."
              .formatted(e.getMessage()));
    }
  }

  /**
   * Signs the path without the prefix of {@code --server}: a proxy that serves Stockroom below a
   * prefix removes it.
   */
  private Map<String, String> headers(Credentials credentials, String endpoint, byte[] content) {
    return switch (signMethod) {
      case MD5 -> credentials.headers(Instant.now());
      case HMAC_SHA256 -> credentials.headers(Instant.now(), "POST", endpoint, content);
    };
  }

  private byte[] content() {
    if (body == null) {
      return form().getBytes(StandardCharsets.UTF_8);
    }
    try (InputFile input = InputFile.open(body, shell)) {
      return input.read(MAX_BODY_BYTES);
    }
  }

  private static String slashed(String path) {
    if (path.contains("://")) {
      throw CommandException.usage(
          "PATH is '%s'; pass only the path, such as /Stock/List, and the server with --server."
              .formatted(path));
    }
    return path.startsWith("/") ? path : "/" + path;
  }

  private String form() {
    return fields.stream().map(CallCommand::field).collect(Collectors.joining("&"));
  }

  private static String field(String field) {
    int equals = field.indexOf('=');
    if (equals < 1) {
      throw CommandException.usage(
          "'%s' is not key=value; a form field looks like page=1".formatted(field));
    }
    return URLEncoder.encode(field.substring(0, equals), StandardCharsets.UTF_8)
        + "="
        + URLEncoder.encode(field.substring(equals + 1), StandardCharsets.UTF_8);
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
  private void show(ServerConnection.Answer answer, Optional<JsonNode> parsed) {
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
