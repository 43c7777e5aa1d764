package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.Credentials;
import io.stockroom.client.StockEntry;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.check.Endpoint;
import io.stockroom.protocol.check.Snippet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs that the console and docs/signing.md offer, run as people run them. */
class CallSnippetsTest {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final Path SIGNING = Path.of("../docs/signing.md");
  private static StockroomServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = StockroomServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"CURL", "JAVA", "PYTHON", "JAVASCRIPT"})
  void readAndWriteStockWhateverStandsInTheBody(Snippet snippet) throws Exception {
    TestMerchant merchant = server.merchant("Acme");
    int pid = merchant.addProduct();
    String colour = "it's \"红\" \\ $HOME `x`";
    String create =
        "[{\"color\":\"it's \\\"红\\\" \\\\ $HOME `x`\",\"pid\":%d,\"param\":[{\"size\":\"36-37\",\"stock\":5}]}]"
            .formatted(pid);

    String written =
        run(
            snippet,
            snippet.of(Endpoint.STOCK_CREATE, "/Stock/Creat", "application/json", create),
            merchant.credentials());
    String read =
        run(
            snippet,
            snippet.of(Endpoint.STOCK_LIST, "/Stock/List", FORM, "productid=" + pid),
            merchant.credentials());

    assertThat(merchant.client().stock(pid))
        .as(written)
        .extracting(StockEntry::color)
        .containsExactly(colour, colour);
    assertThat(read).contains("红", "36");
  }

  @Test
  void theJavaSdkHasAStatementForEveryCall() throws Exception {
    TestMerchant merchant = server.merchant("Acme");
    int pid = merchant.addProduct();
    String publish =
        "[{\"pid\":%d,\"result\":\"published\",\"url\":\"https://a.example/1\"}]".formatted(pid);
    // one program with all statements, since each start of Java costs seconds
    String first =
        Snippet.JAVA.of(Endpoint.PRODUCT_LIST, "/Stock/Product", FORM, "page=1&stock=false");
    String whole =
        first.replace(
            statement(first),
            String.join(
                "\n",
                statement(first),
                statement(
                    Snippet.JAVA.of(
                        Endpoint.PRODUCT_DETAIL, "/Product/Detail", FORM, "pid=" + pid)),
                statement(
                    Snippet.JAVA.of(
                        Endpoint.PUBLISH_RESULTS, "/Product/Publish", "application/json", publish)),
                statement(Snippet.JAVA.of(Endpoint.USAGE, "/Usage", FORM, ""))));
    assertThat(statement(first)).contains("StockFilter.WITHOUT_STOCK");

    assertThat(run(Snippet.JAVA, whole, merchant.credentials()))
        .contains("detail-per-day", "accepted=1");
  }

  @ParameterizedTest
  @EnumSource
  void standInTheDocsAsTheyAreOffered(Snippet snippet) throws IOException {
    String offered = snippet.of(Endpoint.STOCK_LIST, "/Stock/List", FORM, "productid=2");

    assertThat(Files.readString(SIGNING))
        .contains("```" + snippet.fence() + "\n" + offered + "```");
  }

  @Test
  void theDocsShowTheSignaturesThatTheServerExpects() throws IOException {
    String docs = Files.readString(SIGNING);

    for (Map.Entry<String, String> vector :
        Map.of("SECRET", "1700000000", "secret", "1700000000", "密钥", "1767225600").entrySet()) {
      assertThat(docs)
          .contains(
              "| `%s` | `%s` | `%s` |"
                  .formatted(
                      vector.getKey(),
                      vector.getValue(),
                      Signature.sign(vector.getKey(), vector.getValue())));
    }
    assertThat(docs)
        .contains(
            Signature.hmac(
                "SECRET",
                "POST",
                "/Stock/List",
                "1700000000",
                "TOKEN",
                "productid=1".getBytes(StandardCharsets.UTF_8)));
  }

  /** What stands between the braces that hold the client. */
  private static String statement(String program) {
    return program.substring(program.indexOf("      System.out"), program.indexOf("\n    }\n  }"));
  }

  private String run(Snippet snippet, String program, Credentials credentials)
      throws IOException, InterruptedException {
    Path file =
        Files.writeString(
            folder.resolve(
                switch (snippet) {
                  case CURL -> "call.sh";
                  case JAVA -> "Call.java";
                  case PYTHON -> "call.py";
                  case JAVASCRIPT -> "call.mjs";
                  case CSHARP, PHP -> throw new IllegalArgumentException("not run here");
                }),
            program);
    List<String> command =
        switch (snippet) {
          case CURL -> List.of("bash", file.toString());
          case JAVA ->
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  // Maven starts tests from a jar that only names the class path
                  System.getProperty(
                      "surefire.test.class.path", System.getProperty("java.class.path")),
                  file.toString());
          case PYTHON -> List.of("python3", file.toString());
          case JAVASCRIPT -> List.of("node", file.toString());
          case CSHARP, PHP -> throw new IllegalArgumentException("not run here");
        };
    requireProgram(snippet == Snippet.CURL ? "curl" : command.getFirst());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("STOCKROOM_SERVER", server.address());
    builder.environment().put("STOCKROOM_APPID", credentials.appid());
    builder.environment().put("STOCKROOM_SECRET", credentials.secret());
    builder.environment().put("STOCKROOM_TOKEN", credentials.accesstoken());
    builder.environment().put("PYTHONIOENCODING", "utf-8");
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Dstdout.encoding=UTF-8");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    return out;
  }

  private static void requireProgram(String name) {
    boolean found =
        name.contains("/")
            || Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, name)));
    assertThat(found)
        .as(
            "This test runs the examples of docs/signing.md and needs %s. Install it (Debian: apt"
                + " install curl python3 nodejs); ./verify does so by itself.",
            name)
        .isTrue();
  }
}
