package io.stockroom.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.conformance.JudgedServer;
import io.stockroom.server.Stockroom;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real MCP client starts the program and works with a real server. */
class McpCommandTest {
  private static final String CLIENT = "@modelcontextprotocol/sdk@1.32.2";
  private static final Path NPM = Path.of("target", "npm-mcp").toAbsolutePath();
  private static final Path SESSION =
      Path.of("src/test/resources/mcp/session.mjs").toAbsolutePath();

  @TempDir Path folder;

  @Test
  void readsPlansAndAppliesButNeverWritesWithoutAPlan() throws Exception {
    fetchClient();
    Stockroom server = JudgedServer.running();
    Program program = Program.operating(server);
    session(program, server.baseUrl(), prepare(program));
  }

  /** Returns the number of the product with stock. */
  private int prepare(Program program) throws IOException {
    Path products =
        Files.writeString(
            folder.resolve("products.csv"),
            """
            artNo,title,price,color,size,stock
            T1,Canvas shoe,59.00,红,36,5
            U2,Winter boot,99.00,,,
            """);
    String merchant =
        run(program, "merchant", "create", "--name=Acme", "--store-url=a", "--store-name=A")
            .path("merchantId")
            .asString();
    run(program, "product", "import", "--merchant", merchant, products.toString());
    JsonNode app = run(program, "app", "create", "--name", "Assistant");
    JsonNode token =
        run(
            program,
            "token",
            "issue",
            "--app",
            app.path("appid").asString(),
            "--merchant",
            merchant);
    program
        .with("STOCKROOM_APPID", app.path("appid").asString())
        .with("STOCKROOM_SECRET", app.path("secret").asString())
        .with("STOCKROOM_TOKEN", token.path("accesstoken").asString());
    return run(program, "call", "/Stock/Product", "page=1", "stock=true")
        .at("/body/data/0/id")
        .asInt();
  }

  private static JsonNode run(Program program, String... words) {
    Program.Run run =
        program.run(Stream.concat(Stream.of(words), Stream.of("--json")).toArray(String[]::new));
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return Json.parse(run.out().lines().toList().getLast().getBytes(UTF_8)).orElseThrow();
  }

  private void session(Program program, String address, int pid) throws Exception {
    Process node = start(program, address, pid);
    try (BufferedReader out = node.inputReader(UTF_8);
        Writer in = node.outputWriter(UTF_8)) {
      assertThat(next(out).valueStream().map(JsonNode::asString))
          .containsExactlyInAnyOrder(
              "find_products reads",
              "read_stock reads",
              "explain_refusal reads",
              "plan_stock_change reads",
              "apply_plan writes");
      assertThat(said(out)).isEqualTo("pid %d: T1".formatted(pid));
      assertThat(said(out)).endsWith("| 红 | 36 | 5 |");
      assertThat(said(out)).startsWith("CREATE_RATE (status 429)\nCause: ").contains("\nFix: ");
      assertThat(refused(out)).contains("did you mean CREATE_RATE?");
      assertThat(refused(out)).startsWith("apply_plan needs a plan. Call plan_stock_change first");
      assertThat(refused(out)).startsWith("changes[0]: the quantity would become -1, from 5 now");
      assertThat(refused(out)).startsWith("changes[1] names an entry that is in the plan already");
      assertThat(said(out))
          .contains("Nothing is changed yet.", "| %d | 红 | 36 | 5 | 3 |".formatted(pid));

      program.reading("[{\"pid\":%d,\"color\":\"红\",\"size\":36,\"set\":4}]".formatted(pid));
      assertThat(program.run("call", "/Stock/Adjust", "--body", "-").exitCode()).isZero();
      in.write("go on\n");
      in.flush();

      assertThat(refused(out)).startsWith("The plan no longer fits, so nothing was changed");
      assertThat(refused(out)).contains("is not that of this plan");
      String applied = said(out);
      assertThat(applied)
          .startsWith("The plan is applied.")
          .endsWith("| %d | 红 | 36 | 4 | 2 |".formatted(pid));
      // the plan's id is the idempotency key: the same answer, and no second change
      assertThat(said(out)).isEqualTo(applied);
      assertThat(refused(out)).contains("PRODUCT_MISSING");
      assertThat(next(out).asInt()).isEqualTo(200);
      assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(node.exitValue()).isZero();
    } finally {
      node.destroyForcibly();
    }
    assertThat(program.run("call", "/Stock/List", "productid=" + pid).out())
        .contains("\"size\":36,\"stock\":2}");
  }

  private Process start(Program program, String address, int pid) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                "node",
                SESSION.toString(),
                Integer.toString(pid),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "io.stockroom.cli.Main",
                "mcp")
            .directory(NPM.toFile())
            .redirectError(folder.resolve("stderr").toFile());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("STOCKROOM_SERVER", address);
    for (String name : List.of("STOCKROOM_APPID", "STOCKROOM_SECRET", "STOCKROOM_TOKEN")) {
      builder.environment().put(name, program.variable(name));
    }
    return builder.start();
  }

  private JsonNode next(BufferedReader out) throws IOException {
    String line = out.readLine();
    assertThat(line).as(this::stderr).isNotNull();
    return Json.parse(line.getBytes(UTF_8)).orElseThrow();
  }

  private String stderr() {
    try {
      return Files.readString(folder.resolve("stderr"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private String said(BufferedReader out) throws IOException {
    JsonNode result = next(out);
    assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
    return result.path("text").asString();
  }

  private String refused(BufferedReader out) throws IOException {
    JsonNode result = next(out);
    assertThat(result.path("isError").asBoolean()).as(result.toString()).isTrue();
    return result.path("text").asString();
  }

  /** Once: it stays in {@code target}. */
  private static void fetchClient() throws Exception {
    if (Files.exists(NPM.resolve("node_modules/@modelcontextprotocol/sdk"))) {
      return;
    }
    Files.createDirectories(NPM);
    Process npm =
        new ProcessBuilder(
                "npm",
                "install",
                "--prefix",
                ".",
                "--no-save",
                "--no-package-lock",
                "--no-audit",
                "--no-fund",
                "--prefer-offline",
                CLIENT)
            .directory(NPM.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(npm.getInputStream().readAllBytes(), UTF_8);
    assertThat(npm.waitFor())
        .as("npm could not fetch %s; let it reach its registry once.%n%s", CLIENT, output)
        .isZero();
  }

  @Test
  void saysWhichCredentialsAreMissing() {
    assertThat(Program.plain().run("mcp").err())
        .contains("The call cannot be signed without --appid (or STOCKROOM_APPID)");
  }
}
