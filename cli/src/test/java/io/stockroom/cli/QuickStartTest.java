package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs the commands of the quick start as written, with {@code serve} in a separate process. */
class QuickStartTest {
  private static final Path PAGE = Path.of("../docs/quick-start.md");
  private static final Pattern CONSOLE =
      Pattern.compile("^```console\n((?s:.*?))^```$", Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir Path folder;

  /** Values that differ in each run: as shown on the page, and the actual one. */
  private final Map<String, String> real = new HashMap<>();

  private final Map<String, String> exported = new HashMap<>();

  /** A typed line, and the output shown below it. */
  private record Step(String typed, List<String> shown) {}

  @Test
  void everyCommandWorksAndAnswersAsShown() throws Exception {
    Path data = folder.resolve("data");
    List<Step> steps = steps(Files.readString(PAGE));
    int run = 0;
    ServerProgram program = ServerProgram.start("serve", data);
    try {
      JsonNode server = program.ready();
      assertIsReady(server, data);
      exported.put("STOCKROOM_SERVER", server.get("url").asString());
      exported.put("STOCKROOM_ADMIN_SERVER", server.get("admin").asString());
      exported.put("STOCKROOM_DATA", data.toString());
      for (Step step : steps) {
        if (step.typed().startsWith("export ")) {
          export(step.typed());
        } else if (step.typed().startsWith("cat ")) {
          Files.write(file(step.typed().substring("cat ".length())), step.shown());
        } else if (!step.typed().matches("\\./stockroom (demo|serve)")) {
          run(step);
          run++;
        }
      }
    } finally {
      program.stop();
    }
    assertThat(run).as("commands that were run").isEqualTo(7);
    assertThat(data.resolve("postgres/postmaster.pid")).doesNotExist();
    assertThat(data.resolve("operator.key")).exists();
  }

  private static void assertIsReady(JsonNode server, Path data) throws Exception {
    assertThat(ServerProgram.get(server.get("health").asString()).body())
        .contains("\"status\":\"UP\"");
    // the output may be a log
    assertThat(server.toString()).doesNotContain("/console/link/");
    Path first = Path.of(server.get("firstOperatorFile").asString());
    assertThat(first).hasParent(data.toRealPath()).content().contains("/console/link/");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(first)))
        .isEqualTo("rw-------");
    String admin = server.get("admin").asString();
    assertThat(ServerProgram.get(admin + "/admin/merchants").statusCode()).isEqualTo(401);
    String url = server.get("url").asString();
    assertThat(ServerProgram.get(url + "/admin/merchants").statusCode()).isEqualTo(404);
    Program.Run run =
        Program.plain().run("merchant", "list", "--admin-server", admin, "--data", "" + data);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  @Test
  void theReadmeShowsOnlyCommandsOfTheQuickStart() throws IOException {
    assertThat(steps(Files.readString(Path.of("../README.md"))).stream().map(Step::typed))
        .contains("./stockroom demo", "./verify")
        .filteredOn(typed -> !typed.equals("./verify"))
        .isSubsetOf(steps(Files.readString(PAGE)).stream().map(Step::typed).toList());
  }

  private void run(Step step) throws IOException {
    String typed = step.typed();
    String input = "";
    Matcher piped = Pattern.compile("echo '(.*)' \\| (.*)").matcher(typed);
    if (piped.matches()) {
      input = piped.group(1);
      typed = piped.group(2);
    }
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(typed.substring("./stockroom ".length()));
    while (word.find()) {
      String text = word.group(1) == null ? word.group(2) : word.group(1);
      words.add(text.endsWith(".csv") ? file(text).toString() : real.getOrDefault(text, text));
    }
    Program program = Program.plain().reading(input);
    exported.forEach(program::with);

    Program.Run run = program.run(words.toArray(String[]::new));

    assertThat(run.exitCode()).as(step.typed() + "\n" + run.out() + run.err()).isZero();
    compare(step, run.out());
  }

  /** Compares the shown lines in order; … matches any lines, or any text in a line. */
  private void compare(Step step, String out) {
    List<String> lines = out.lines().toList();
    int at = 0;
    boolean gap = false;
    for (String shown : step.shown()) {
      if (shown.equals("…")) {
        gap = true;
        continue;
      }
      Pattern like = like(shown);
      int from = at;
      while (gap && at < lines.size() && !like.matcher(lines.get(at)).matches()) {
        at++;
      }
      assertThat(at < lines.size() && like.matcher(lines.get(at)).matches())
          .as("%s shows “%s”, not in its lines from %d on:%n%s", step.typed(), shown, from, out)
          .isTrue();
      remember(shown, lines.get(at));
      at++;
      gap = false;
    }
    assertThat(gap || at == lines.size())
        .as("%s ends after %d lines:%n%s", step.typed(), at, out)
        .isTrue();
  }

  private static Pattern like(String shown) {
    String text = shown.replaceFirst("^((?:appid|secret|access token): +)\\S+$", "$1…");
    StringBuilder pattern = new StringBuilder();
    for (String piece : text.split("…|(?<=\")[0-9a-f]{32}(?=\")", -1)) {
      pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(piece));
    }
    return Pattern.compile(pattern.toString());
  }

  private void remember(String shown, String line) {
    Matcher field = Pattern.compile("(appid|secret|access token): +(\\S+)").matcher(shown);
    Matcher actual = Pattern.compile("(appid|secret|access token): +(\\S+)").matcher(line);
    if (field.matches() && actual.matches()) {
      real.put(field.group(2), actual.group(2));
      real.put(field.group(1), actual.group(2));
    }
  }

  private void export(String typed) {
    assertThat(typed).contains("STOCKROOM_APPID=", "STOCKROOM_SECRET=", "STOCKROOM_TOKEN=");
    exported.put("STOCKROOM_APPID", real.get("appid"));
    exported.put("STOCKROOM_SECRET", real.get("secret"));
    exported.put("STOCKROOM_TOKEN", real.get("access token"));
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private static List<Step> steps(String page) {
    List<Step> steps = new ArrayList<>();
    Matcher block = CONSOLE.matcher(page);
    while (block.find()) {
      for (String line : block.group(1).lines().toList()) {
        if (line.startsWith("$ ")) {
          steps.add(new Step(line.substring(2), new ArrayList<>()));
        } else if (!steps.isEmpty()) {
          steps.getLast().shown().add(line);
        }
      }
    }
    return steps;
  }
}
