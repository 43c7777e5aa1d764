package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs the commands in {@code commands.txt}. A line with {@code $} is a command; then come the
 * answers of the server ({@code <}), and what the command should do: its requests ({@code >}), its
 * output ({@code |}) and its messages ({@code !}), and its exit code ({@code =}) if that is not 0.
 */
class CommandsTest {
  private static final Path COMMANDS = Path.of("src/test/resources/io/stockroom/cli/commands.txt");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TestFactory
  Stream<DynamicTest> doWhatTheTranscriptSays() throws IOException {
    List<List<String>> cases = new ArrayList<>();
    for (String line : Files.readAllLines(COMMANDS)) {
      if (line.startsWith("$ ")) {
        cases.add(new ArrayList<>());
      }
      if (!line.isBlank() && !line.startsWith("#")) {
        cases.getLast().add(line);
      }
    }
    assertThat(cases).isNotEmpty();
    return cases.stream()
        .map(
            lines ->
                DynamicTest.dynamicTest(
                    lines.getFirst(),
                    () ->
                        assertThat(String.join("\n", transcript(lines)))
                            .isEqualTo(String.join("\n", lines))));
  }

  /** The same case with what really happens. */
  static List<String> transcript(List<String> lines) throws IOException {
    String command = lines.getFirst().substring(2);
    List<String> answers = lines.stream().filter(line -> line.startsWith("< ")).toList();
    try (AnsweringServer server = new AnsweringServer()) {
      for (String answer : answers) {
        // < GET /admin/cells 200 {"cells":[]}
        String[] parts = answer.substring(2).split(" ", 4);
        server.then(parts[0], parts[1], Integer.parseInt(parts[2]), parts[3]);
      }
      boolean signs = command.startsWith("webhook") || command.startsWith("changes");
      Program program = signs ? Program.calling(server) : Program.operating(server);
      Program.Run run = program.run(words(command));
      List<String> transcript = new ArrayList<>(List.of(lines.getFirst()));
      transcript.addAll(answers);
      for (AnsweringServer.Received request : server.received()) {
        String body = request.body();
        transcript.add(
            "> %s %s %s".formatted(request.method(), request.path(), body).stripTrailing());
      }
      transcript.addAll(marked("|", run.out(), server));
      transcript.addAll(marked("!", run.err(), server));
      if (run.exitCode() != 0) {
        transcript.add("= " + run.exitCode());
      }
      return transcript;
    }
  }

  private static String[] words(String command) {
    return WORD.matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toArray(String[]::new);
  }

  private static List<String> marked(String mark, String text, AnsweringServer server) {
    return text.replace(server.url(), "http://server")
        .lines()
        .map(line -> (mark + " " + line).stripTrailing())
        .collect(Collectors.toList());
  }
}
