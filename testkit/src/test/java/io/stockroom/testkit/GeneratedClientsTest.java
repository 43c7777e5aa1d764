package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.Credentials;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * Clients that openapi-generator creates from the served documents: all compile, and those of the
 * interface call every operation of a real server.
 */
class GeneratedClientsTest {
  private static final Path FOLDER = Path.of("target", "generated-clients").toAbsolutePath();
  private static final Path PROGRAMS = Path.of("src", "test", "resources", "generated");
  private static final Map<String, String> DOCUMENTS =
      Map.of("interface", "/openapi.json", "operator", "/docs/api/operator.json");

  @BeforeAll
  static void generate() throws Exception {
    List<String> command = new ArrayList<>(List.of(java(), "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UseSerialGC", "-jar", "target/openapi-generator-cli.jar"));
    command.addAll(List.of("batch", "--fail-fast"));
    Commands.delete(FOLDER.resolve("java"));
    Commands.delete(FOLDER.resolve("typescript"));
    Files.createDirectories(FOLDER);
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (Map.Entry<String, String> document : DOCUMENTS.entrySet()) {
        String name = document.getKey();
        URI address = URI.create(SharedServer.get().address() + document.getValue());
        Path file = FOLDER.resolve(name + ".json");
        assertThat(http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofFile(file)))
            .satisfies(reply -> assertThat(reply.statusCode()).isEqualTo(200));
        command.add(settings(name, file, "java", Map.of("library", "native")));
        command.add(settings(name, file, "typescript", Map.of()));
      }
    }
    Commands.run(Path.of(""), command);
  }

  private static String settings(
      String name, Path document, String language, Map<String, String> more) throws IOException {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("generatorName", language.equals("java") ? "java" : "typescript-fetch");
    settings.put("inputSpec", document.toString());
    settings.put("outputDir", FOLDER.resolve(language).resolve(name).toString());
    settings.put(
        "globalProperties",
        Map.of(
            "apiTests", "false", "modelTests", "false", "apiDocs", "false", "modelDocs", "false"));
    return Files.writeString(
            FOLDER.resolve(name + "-" + language + ".settings.json"),
            new JsonMapper().writeValueAsString(settings))
        .toString();
  }

  @Test
  void theJavaClientCompilesAndCallsEveryOperation() throws Exception {
    Path sources = FOLDER.resolve("java/interface/src/main/java");
    Path classes = compile(sources, PROGRAMS.resolve("Calls.java"));
    List<String> said = new ArrayList<>();
    TestMerchant merchant = SharedServer.get().merchant("Acme");
    int pid = merchant.addProduct();
    Credentials credentials = merchant.credentials();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      loader
          .loadClass("Calls")
          .getMethod(
              "run",
              String.class,
              String.class,
              String.class,
              String.class,
              int.class,
              Consumer.class)
          .invoke(
              null,
              SharedServer.get().address(),
              credentials.appid(),
              credentials.secret(),
              credentials.accesstoken(),
              pid,
              (Consumer<String>) said::add);
    } catch (InvocationTargetException failed) {
      throw new AssertionError("the generated Java client failed after " + said, failed.getCause());
    }

    assertThat(said).containsExactlyElementsOf(expected(pid));
  }

  @Test
  void theJavaClientOfTheOperatorCompiles() throws Exception {
    assertThat(compile(FOLDER.resolve("java/operator/src/main/java"))).isNotEmptyDirectory();
  }

  @Test
  void theTypeScriptClientsCompileAndCallEveryOperation() throws Exception {
    Path typescript = FOLDER.resolve("typescript");
    Path compiler = Npm.typeScript();
    Files.copy(PROGRAMS.resolve("calls.ts"), typescript.resolve("calls.ts"));
    Commands.run(
        typescript,
        List.of(
            "node",
            compiler.toString(),
            "--strict",
            "--skipLibCheck",
            "--target",
            "es2022",
            "--lib",
            "es2022,dom",
            "--module",
            "commonjs",
            "--outDir",
            "compiled",
            "calls.ts",
            "operator/index.ts"));
    TestMerchant merchant = SharedServer.get().merchant("Acme");
    int pid = merchant.addProduct();
    Credentials credentials = merchant.credentials();

    String said =
        Commands.run(
            typescript,
            List.of(
                "node",
                "compiled/calls.js",
                SharedServer.get().address(),
                credentials.appid(),
                credentials.secret(),
                credentials.accesstoken(),
                Integer.toString(pid)));

    assertThat(said.lines()).containsExactlyElementsOf(expected(pid));
  }

  private static List<String> expected(int pid) {
    return List.of(
        "product T1 of 1",
        "no stock: Stock has not been added for product " + pid + ".",
        "code STOCK_NOT_ADDED",
        "created true",
        "entry 红 36 5 null",
        "entry 红 37 5 null",
        "entry 红 38 0 6901234567892",
        "sold 2 of 5",
        "not sold: STOCK_INSUFFICIENT 0",
        "detail Product T1 true 36,37,38",
        "no detail: 商品不存在：2147483647。",
        "published 1",
        "usage detail-per-day 1 of 300",
        "resets true",
        "unpublished 0",
        "changes 3 false",
        "last stock 3",
        "snapshot 1 next ",
        "digest 3 1",
        "refused 400 true");
  }

  /** Compiles all files below {@code sources} with the libraries of this test's class path. */
  private static Path compile(Path sources, Path... more) throws IOException {
    Path classes = Files.createDirectories(sources.resolveSibling("classes"));
    List<Path> files = new ArrayList<>(List.of(more));
    try (Stream<Path> tree = Files.walk(sources)) {
      tree.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-nowarn",
              "-proc:none",
              "-d",
              classes.toString(),
              "-cp",
              // Maven starts tests from a jar that only refers to the class path
              System.getProperty(
                  "surefire.test.class.path", System.getProperty("java.class.path")));
      boolean compiled =
          compiler
              .getTask(
                  said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
              .call();
      assertThat(compiled).as(said.toString()).isTrue();
    }
    return classes;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
