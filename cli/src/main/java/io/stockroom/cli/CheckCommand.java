package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.option;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.check.Capture;
import io.stockroom.protocol.check.CapturedRequest;
import io.stockroom.protocol.check.CheckProblem;
import io.stockroom.protocol.check.Known;
import io.stockroom.protocol.check.Report;
import io.stockroom.protocol.check.RequestCheck;
import io.stockroom.protocol.check.UnreadableCapture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom check}. */
final class CheckCommand {
  private CheckCommand() {}

  static CommandSpec make(Shell shell) {
    AccessOptions access = new AccessOptions();
    return CommandDefinition.local("check", given -> run(access, given))
        .does(
            "Name the problems of a captured request, the likeliest cause first.",
            "Takes a curl command, raw HTTP or a HAR file. Nothing is sent. With the secret, the"
                + " signature is recomputed. The exit code is 0 where no problem is found, 1 where"
                + " there is one.")
        .examples(
            "stockroom check request.txt --profile demo",
            "stockroom check - --secret-env STOCKROOM_SECRET < request.txt",
            "stockroom check request.har --language zh --json")
        .with(
            argument("FILE", "The captured request; - for standard input (default: -).").optional(),
            option(
                "--sent-at",
                "TIME",
                "When it was sent by the server's clock: Unix seconds or 2026-01-31T10:00:00Z"
                    + " (default: unknown; an old timestamp is then a remark)."),
            option("--language", "LANGUAGE", "Language of the problems: en or zh (default: en)."))
        .mixin(access)
        .json("Print the problems as one JSON object.")
        .spec(shell);
  }

  private static int run(AccessOptions access, Given given) {
    Language words = language(given.has("--language") ? given.text("--language") : "en");
    Path file = Path.of(given.has("FILE") ? given.text("FILE") : "-");
    Shell shell = given.shell();
    if (file.toString().equals("-") && shell.errIsTerminal()) {
      shell.err().println("Paste the request, then press Ctrl-D.");
    }
    CapturedRequest captured = captured(file, words, shell);
    AccessOptions.PartialCredentials parts = access.parts(shell);
    boolean ofRequest = given.has("--sent-at");
    Instant time = ofRequest ? time(given.text("--sent-at")) : Instant.now();
    Known known =
        Known.nothing()
            .withAppid(parts.appid())
            .withSecret(parts.secret())
            .withAccesstoken(parts.token())
            .withClock(new Known.Clock(time, ofRequest, Known.USUAL_WINDOW_SECONDS));
    Report report = RequestCheck.check(captured, known);
    Output output = given.output();
    output.show(() -> asJson(report, words), () -> show(report, words, output));
    return report.problems().isEmpty() ? 0 : 1;
  }

  private static CapturedRequest captured(Path file, Language words, Shell shell) {
    try (InputFile input = InputFile.open(file, shell)) {
      byte[] bytes = input.read(Capture.MAX_CHARACTERS);
      return Capture.read(new String(bytes, StandardCharsets.UTF_8));
    } catch (UnreadableCapture unreadable) {
      throw CommandException.usage(unreadable.text(words));
    }
  }

  private static Instant time(String text) {
    if (text.matches("[0-9]{10}")) {
      return Instant.ofEpochSecond(Long.parseLong(text));
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      CommandException failure =
          CommandException.usage(
              "--sent-at is '%s'; write Unix seconds, or a time such as 2026-01-31T10:00:00Z"
                  .formatted(text));
      failure.addSuppressed(e);
      throw failure;
    }
  }

  private static Language language(String tag) {
    return Stream.of(Language.values())
        .filter(known -> known.tag().equals(tag.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () -> CommandException.usage("--language is '%s'; write en or zh".formatted(tag)));
  }

  private static void show(Report report, Language words, Output output) {
    boolean english = words == Language.ENGLISH;
    int problems = report.problems().size();
    if (problems == 0) {
      output.line(english ? "Nothing wrong found." : "未发现错误。");
    } else if (english) {
      output.line(
          problems == 1
              ? "1 problem found."
              : problems + " problems found, the likeliest cause first.");
    } else {
      output.line(problems == 1 ? "发现 1 处错误。" : "发现 %d 处错误，最可能的原因在前。".formatted(problems));
    }
    int number = 1;
    for (CheckProblem problem : report.problems()) {
      problem(number++ + ". ", problem, words, output);
    }
    for (CheckProblem problem : report.remarks()) {
      problem(english ? "Remark: " : "提示：", problem, words, output);
    }
    if (!report.unchecked().isEmpty()) {
      output.line("");
      output.line(english ? "Not checked:" : "未检查：");
      report.unchecked().forEach(each -> output.line("- " + each.text(words)));
    }
  }

  private static void problem(String mark, CheckProblem problem, Language words, Output output) {
    boolean english = words == Language.ENGLISH;
    output.line("");
    output.line(mark + problem.what(words));
    output.line((english ? "   where     " : "   位置  ") + problem.where());
    if (!problem.expected().isEmpty()) {
      output.line((english ? "   expected  " : "   应为  ") + problem.expected());
    }
    if (!problem.found().isEmpty()) {
      output.line((english ? "   found     " : "   实为  ") + problem.found());
    }
    output.line("   " + problem.fix(words));
  }

  private static ObjectNode asJson(Report report, Language words) {
    ObjectNode object = Json.object().put("problemCount", report.problems().size());
    ArrayNode problems = object.putArray("problems");
    for (CheckProblem problem : report.all()) {
      problems
          .addObject()
          .put("code", problem.cause().name())
          .put("harmless", problem.cause().isHarmless())
          .put("where", problem.where())
          .put("expected", problem.expected())
          .put("found", problem.found())
          .put("what", problem.what(words))
          .put("fix", problem.fix(words));
    }
    ArrayNode unchecked = object.putArray("unchecked");
    report.unchecked().forEach(each -> unchecked.add(each.name()));
    return object;
  }
}
