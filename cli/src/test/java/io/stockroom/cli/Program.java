package io.stockroom.cli;

import io.stockroom.server.Stockroom;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Runs the whole program inside the test's process, with the test's environment. */
final class Program {
  private final Map<String, String> environment = new HashMap<>();
  private Path home = Path.of("there-is-no-such-folder");
  private String input = "";
  private boolean terminal;

  /** The result of a run. */
  record Run(int exitCode, String out, String err) {
    /** Standard output, which must be one JSON object. */
    JsonNode json() {
      if (out.lines().count() != 1) {
        throw new AssertionError("not one line: " + out);
      }
      return Json.parse(out.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }
  }

  static Program plain() {
    return new Program();
  }

  /** A program with the server's address and operator key. */
  static Program operating(AnsweringServer server) {
    return plain()
        .with("STOCKROOM_SERVER", server.url())
        .with("STOCKROOM_ADMIN_SERVER", server.url())
        .with("STOCKROOM_OPERATOR_KEY", "the-key");
  }

  /** A program with the addresses and the operator key of a real server. */
  static Program operating(Stockroom server) {
    return plain()
        .with("STOCKROOM_SERVER", server.baseUrl())
        .with("STOCKROOM_ADMIN_SERVER", server.adminUrl())
        .with("STOCKROOM_OPERATOR_KEY", server.operatorKey());
  }

  /** A program with the server's address and the credentials of an application. */
  static Program calling(AnsweringServer server) {
    return plain()
        .with("STOCKROOM_SERVER", server.url())
        .with("STOCKROOM_APPID", "app-1")
        .with("STOCKROOM_SECRET", "secret-1")
        .with("STOCKROOM_TOKEN", "token-1");
  }

  Program with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  Program without(String variable) {
    environment.remove(variable);
    return this;
  }

  Program installedIn(Path folder) {
    home = folder;
    return this;
  }

  Program reading(String text) {
    input = text;
    return this;
  }

  Program onTerminal() {
    terminal = true;
    return with("NO_COLOR", "1");
  }

  Run run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Shell shell =
        new Shell(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment,
            home,
            terminal,
            terminal);
    int exitCode = Main.run(shell, arguments);
    return new Run(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
