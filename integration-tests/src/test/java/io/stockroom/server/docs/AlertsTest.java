package io.stockroom.server.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The alerts, played by Prometheus's own tool. */
class AlertsTest {
  private static final Path ALERTS = Path.of("../docs/operations/alerts.yaml");
  private static final Path OUTAGES = Path.of("src/test/prometheus/alerts-test.yaml");

  @Test
  void prometheusAlertsOfOutagesAndOfNothingElse() throws Exception {
    assumeThat(isInstalled()).as("promtool is installed").isTrue();

    assertThat(promtool("check", "rules", ALERTS.toString())).contains("SUCCESS");
    assertThat(promtool("test", "rules", OUTAGES.toString())).contains("SUCCESS");
  }

  /** The quiet day is the first of the tests. */
  @Test
  void everyAlertIsPlayedOnAQuietDayAndInAnOutage() throws Exception {
    Set<String> alerts = new TreeSet<>();
    yaml(ALERTS).at("/groups/0/rules").forEach(rule -> alerts.add(rule.get("alert").asString()));
    Set<String> quiet = new TreeSet<>();
    Set<String> firing = new TreeSet<>();
    JsonNode tests = yaml(OUTAGES).get("tests");
    for (JsonNode test : tests) {
      for (JsonNode expected : test.get("alert_rule_test")) {
        if (!expected.get("exp_alerts").isEmpty()) {
          firing.add(expected.get("alertname").asString());
        } else if (test == tests.get(0)) {
          quiet.add(expected.get("alertname").asString());
        }
      }
    }

    assertThat(alerts).isNotEmpty();
    assertThat(quiet).isEqualTo(alerts);
    assertThat(firing).isEqualTo(alerts);
  }

  private static boolean isInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("promtool", "--version").start().waitFor() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  private static String promtool(String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("promtool").redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static JsonNode yaml(Path file) throws IOException {
    Object document =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    return new JsonMapper().valueToTree(document);
  }
}
