package io.stockroom.server.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.stockroom.core.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Static checks of the packaging. */
class PackagingTest {
  private static final Path PACKAGING = Path.of("..", "packaging");
  private static final Path CHART = PACKAGING.resolve("helm/stockroom");
  private static final JsonMapper JSON = new JsonMapper();
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(text(CHART.resolve("values.schema.json")), InputFormat.JSON);
  private static final Pattern VARIABLE = Pattern.compile("STOCKROOM_[A-Z_]+");
  private static final Pattern VALUE = Pattern.compile("\\.Values((\\.[A-Za-z]+)+)");

  /** Variables that are not settings: those of the launcher and the commands. */
  private static final Set<String> OTHERS = Set.of("STOCKROOM_DATA", "STOCKROOM_JAVAOPTIONS");

  @Test
  void everyVariableIsReadByTheServer() {
    Set<String> known =
        Settings.ALL.stream()
            .map(setting -> dense(setting.variable()))
            .collect(Collectors.toCollection(TreeSet::new));
    OTHERS.forEach(other -> known.add(dense(other)));
    int found = 0;
    for (Path file : files()) {
      Matcher variable = VARIABLE.matcher(text(file));
      while (variable.find()) {
        found++;
        assertThat(known).as(file.toString()).contains(dense(variable.group()));
      }
    }
    assertThat(found).isGreaterThan(20);
  }

  private static String dense(String variable) {
    return variable.replace("_", "");
  }

  @Test
  void theComposeFileNamesBothServices() {
    Map<?, ?> compose = yaml(text(PACKAGING.resolve("docker/compose.yaml")));

    assertThat(((Map<?, ?>) compose.get("services")).keySet().toString())
        .isEqualTo("[database, stockroom]");
    for (String name : List.of("DATABASE_PASSWORD", "SECRET_KEY", "OPERATOR_KEY")) {
      assertThat(text(PACKAGING.resolve("docker/compose.yaml"))).contains("${" + name + ":?");
      assertThat(text(PACKAGING.resolve("docker/.env.example"))).contains("\n" + name + "=\n");
    }
  }

  /** Otherwise an installed server would behave differently from the one that is measured. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "stockroom",
        "packaging/systemd/stockroom.service",
        "packaging/docker/Dockerfile",
        "cli/pom.xml"
      })
  void everyInstallationUsesTheSameJvmOptions(String file) {
    String started = text(Path.of("..").resolve(file));

    assertThat(started)
        .containsPattern("@(\\$root/packaging|/opt/stockroom)/server\\.options")
        .doesNotContainPattern("-XX:[+]Use(G1|Parallel|Z|Shenandoah)GC");
    assertThat(text(PACKAGING.resolve("server.options")).lines())
        .contains(
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+HeapDumpOnOutOfMemoryError");
  }

  /** An older Java rejects the options of the server before it could say so itself. */
  @Test
  void theServiceFirstAsksWhichJavaItIs() {
    assertThat(text(PACKAGING.resolve("systemd/stockroom.service")))
        .containsPattern("\nExecStartPre=.*stockroom.jar --version\nExecStart=");
  }

  /** It listens for probes inside, and is not reachable from outside. */
  @Test
  void theAdminPortIsNotExposed() {
    Map<?, ?> compose = yaml(text(PACKAGING.resolve("docker/compose.yaml")));
    Map<?, ?> server = (Map<?, ?>) ((Map<?, ?>) compose.get("services")).get("stockroom");

    assertThat(server.get("ports").toString()).isEqualTo("[127.0.0.1:8080:8080]");
    assertThat(text(PACKAGING.resolve("docker/Dockerfile")))
        .contains("STOCKROOM_ADMIN_ADDRESS=0.0.0.0");
    assertThat(text(CHART.resolve("templates/deployment.yaml")))
        .contains("- name: STOCKROOM_ADMIN_ADDRESS\n              value: 0.0.0.0");
    assertThat(text(CHART.resolve("templates/service.yaml"))).doesNotContain("targetPort: admin");
    assertThat(values().at("/networkPolicy/enabled").booleanValue()).isTrue();
    assertThat(values().at("/networkPolicy/adminFrom").isEmpty()).isTrue();
    String policy = text(CHART.resolve("templates/networkpolicy.yaml"));
    assertThat(policy.indexOf("port: admin"))
        .isGreaterThan(policy.indexOf("networkPolicy.adminFrom"));
  }

  @Test
  void theChartsDefaultsNeedOnlyTheSecret() {
    assertThat(faults(values())).isNotEmpty();
    assertThat(faults(withSecret(values()))).isEmpty();
    ObjectNode existing = values();
    ((ObjectNode) existing.get("secret")).put("existing", "stockroom-keys");
    assertThat(faults(existing)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/replicas, 1, 0",
    "/replicas, 100, 101",
    "/drainSeconds, 0, -1",
    "/database/poolSize, 2, 1",
    "/service/port, 65535, 65536",
  })
  void theChartRejectsInvalidNumbers(String at, int inside, int outside) {
    assertThat(faults(with(at, inside))).isEmpty();
    assertThat(faults(with(at, outside))).isNotEmpty();
  }

  @Test
  void theChartRejectsAPasswordInTheUrlAndAnInvalidKey() {
    ObjectNode values = withSecret(values());
    ((ObjectNode) values.get("database")).put("url", "postgresql://me:secret@db/stockroom");
    assertThat(faults(values)).isNotEmpty();

    ObjectNode shortKey = withSecret(values());
    ((ObjectNode) shortKey.get("secret")).put("secretKey", "short");
    assertThat(faults(shortKey)).isNotEmpty();

    ObjectNode misspelt = withSecret(values());
    misspelt.put("replica", 3);
    assertThat(faults(misspelt)).isNotEmpty();
  }

  @Test
  void templatesAndSchemaUseTheSameValues() {
    Set<String> read = new TreeSet<>();
    for (Path file : files()) {
      if (file.toString().contains("/templates/")) {
        Matcher value = VALUE.matcher(text(file));
        while (value.find()) {
          read.add(value.group(1).replace('.', '/'));
        }
      }
    }
    ObjectNode values = values();
    assertThat(read).isNotEmpty();
    assertThat(read)
        .allSatisfy(path -> assertThat(values.at(path).isMissingNode()).as(path).isFalse());
    for (String top : values.propertyNames()) {
      assertThat(read).as(top).anyMatch(path -> (path + "/").startsWith("/" + top + "/"));
    }
  }

  @Test
  void aServiceOfTheSameNameAddsNoVariables() {
    assertThat(text(CHART.resolve("templates/deployment.yaml")))
        .containsPattern("\n    spec:\n(      .*\n)*      enableServiceLinks: false\n");
  }

  private static ObjectNode with(String at, int number) {
    ObjectNode values = withSecret(values());
    int last = at.lastIndexOf('/');
    ((ObjectNode) values.at(at.substring(0, last))).put(at.substring(last + 1), number);
    return values;
  }

  private static ObjectNode values() {
    return JSON.valueToTree(yaml(text(CHART.resolve("values.yaml"))));
  }

  private static ObjectNode withSecret(ObjectNode values) {
    ((ObjectNode) values.get("secret"))
        .put("databasePassword", "p")
        .put("secretKey", "k".repeat(43))
        .put("operatorKey", "o".repeat(32));
    return values;
  }

  private static List<String> faults(ObjectNode values) {
    return SCHEMA.validate(values.toString(), InputFormat.JSON).stream()
        .map(Object::toString)
        .toList();
  }

  private static Map<?, ?> yaml(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    return new Yaml(new SafeConstructor(options)).load(text);
  }

  private static List<Path> files() {
    try (Stream<Path> files = Files.walk(PACKAGING)) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
