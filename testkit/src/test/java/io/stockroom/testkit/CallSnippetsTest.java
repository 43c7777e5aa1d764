package io.stockroom.testkit;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.Credentials;
import io.stockroom.client.StockEntry;
import io.stockroom.client.StockroomClient;
import io.stockroom.console.explorer.Snippet;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.check.Endpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the example programs of the console and docs/signing.md. */
class CallSnippetsTest {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final Path SIGNING = Path.of("../docs/signing.md");
  private static final String JSON = "application/json";
  private static final String COLOR = "it's \"红\" \\ $HOME `x`";

  private final StockroomServer server = SharedServer.get();

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"CURL", "PYTHON", "JAVASCRIPT"})
  void readAndWriteStockWithAnyBody(Snippet snippet) throws Exception {
    TestMerchant merchant = server.merchant("Acme");
    int pid = merchant.addProduct();

    String written = run(snippet, create(snippet, pid), merchant.credentials());
    String read = run(snippet, read(snippet, pid), merchant.credentials());

    assertWritten(merchant, pid, written);
    assertThat(read).contains("红", "36");
  }

  private static String create(Snippet snippet, int pid) {
    String body =
        "[{\"color\":\"it's \\\"红\\\" \\\\ $HOME `x`\",\"pid\":%d,\"param\":[{\"size\":\"36-37\",\"stock\":5}]}]"
            .formatted(pid);
    return snippet.of(Endpoint.STOCK_CREATE, "/Stock/Creat", JSON, body);
  }

  private static String read(Snippet snippet, int pid) {
    return snippet.of(Endpoint.STOCK_LIST, "/Stock/List", FORM, "productid=" + pid);
  }

  private static void assertWritten(TestMerchant merchant, int pid, String said) {
    try (StockroomClient client = merchant.client()) {
      assertThat(client.stock(pid))
          .as(said)
          .extracting(StockEntry::color)
          .containsExactly(COLOR, COLOR);
    }
  }

  @Test
  void theJavaSdkHasAStatementForEveryCall() throws Exception {
    TestMerchant merchant = server.merchant("Acme");
    int pid = merchant.addProduct();
    String publish =
        "[{\"pid\":%d,\"result\":\"published\",\"url\":\"https://a.example/1\"}]".formatted(pid);
    String adjust =
        """
        [{"pid":%d,"color":"it's \\"红\\" \\\\ $HOME `x`","size":37,"change":-1,"expect":5},
        {"artNo":"T1","color":"it's \\"红\\" \\\\ $HOME `x`","size":36,"set":7}]"""
            .formatted(pid);
    String first =
        Snippet.JAVA.of(Endpoint.PRODUCT_LIST, "/Stock/Product", FORM, "page=1&stock=false");
    assertThat(statement(first)).contains("StockFilter.WITHOUT_STOCK");

    String said =
        run(
            Snippet.JAVA,
            together(
                first,
                create(Snippet.JAVA, pid),
                read(Snippet.JAVA, pid),
                Snippet.JAVA.of(Endpoint.PRODUCT_DETAIL, "/Product/Detail", FORM, "pid=" + pid),
                Snippet.JAVA.of(Endpoint.PUBLISH_RESULTS, "/Product/Publish", JSON, publish),
                Snippet.JAVA.of(Endpoint.USAGE, "/Usage", FORM, ""),
                Snippet.JAVA.of(Endpoint.STOCK_ADJUST, "/Stock/Adjust", JSON, adjust),
                Snippet.JAVA.of(
                    Endpoint.STOCK_BATCH, "/Stock/Batch", FORM, "productid=%d".formatted(pid)),
                Snippet.JAVA.of(
                    Endpoint.STOCK_CREATE,
                    "/Stock/Creat",
                    JSON,
                    "[{\"color\":\"gone\",\"pid\":%d,\"param\":[{\"size\":\"40\",\"stock\":1}]}]"
                        .formatted(pid)),
                Snippet.JAVA.of(
                    Endpoint.STOCK_REMOVE,
                    "/Stock/Remove",
                    JSON,
                    "[{\"artNo\":\"T1\",\"color\":\"gone\",\"size\":40}]"),
                Snippet.JAVA.of(Endpoint.PRODUCT_FIND, "/Product/Find", FORM, "artNo=T1"),
                Snippet.JAVA.of(
                    Endpoint.PRODUCT_SAVE,
                    "/Product/Save",
                    JSON,
                    """
                    [{"artNo":"S1","title":"New shoe","price":59.9,"imgs":["https://a.example/1"],
                    "categoryNameTree":"Shoes","attributes":[{"name":"a","value":"b"}]}]"""),
                Snippet.JAVA.of(
                    Endpoint.PRODUCT_ARCHIVE, "/Product/Archive", JSON, "[{\"artNo\":\"S1\"}]"),
                Snippet.JAVA.of(
                    Endpoint.PRODUCT_RESTORE, "/Product/Restore", JSON, "[{\"artNo\":\"S1\"}]"),
                Snippet.JAVA.of(Endpoint.CHANGES, "/Changes", FORM, "limit=1&wait=1"),
                Snippet.JAVA.of(Endpoint.CHANGES, "/Changes", FORM, "after=latest"),
                Snippet.JAVA.of(Endpoint.STOCK_SNAPSHOT, "/Stock/Snapshot", FORM, ""),
                Snippet.JAVA.of(Endpoint.STOCK_DIGEST, "/Stock/Digest", FORM, "")),
            merchant.credentials());

    assertWritten(merchant, pid, said);
    assertThat(said)
        .contains("红", "size=36", "detail-per-day", "accepted=1")
        .contains("FoundProduct[", "created=true", "changed=true")
        .contains("before=5, after=4", "after=7", "StockChange[", "ProductStock[", "StockDigest[");
  }

  /** Joins all statements into one program, because each start of Java takes seconds. */
  private static String together(String first, String... others) {
    String all = Stream.of(others).map(other -> "\n" + statement(other)).collect(joining());
    String together = first.replace(statement(first), statement(first) + all);
    for (String other : others) {
      assertThat(first.replace(statement(first), ""))
          .isEqualTo(other.replace(statement(other), ""));
    }
    return together;
  }

  @ParameterizedTest
  @EnumSource
  void matchTheDocumentation(Snippet snippet) throws IOException {
    String offered = snippet.of(Endpoint.STOCK_LIST, "/Stock/List", FORM, "productid=2");

    assertThat(Files.readString(SIGNING))
        .contains("```" + snippet.fence() + "\n" + offered + "```");
  }

  @Test
  void theDocumentedSignaturesAreValid() throws IOException {
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

  /** The statements inside the braces that open the client. */
  private static String statement(String program) {
    String start = "fromEnvironment()) {\n";
    return program.substring(
        program.indexOf(start) + start.length(), program.indexOf("\n    }\n  }"));
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
                  // Maven starts tests from a jar that only refers to the class path
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
    builder
        .environment()
        .put(
            "JAVA_TOOL_OPTIONS",
            // a short program does not profit from the C2 compiler
            "-Dstdout.encoding=UTF-8 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
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
