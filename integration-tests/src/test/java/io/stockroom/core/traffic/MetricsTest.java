package io.stockroom.core.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metrics that operators are told to watch exist. */
class MetricsTest {
  private static final Path FOLDER = Path.of("../docs/operations");
  private static final Pattern NAME =
      Pattern.compile("\\b(?:stockroom|hikaricp|disk|jvm|process|tomcat|system|http)_[a-z0-9_]+");

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void countsRejectionsByCode() {
    String sample = "stockroom_rejections_total{code=\"NUMBER_FORMAT\",path=\"/Stock/Product\"}";
    double before = value(sample);

    merchant.api().products("page=x");
    merchant.api().products("page=1");

    assertThat(value(sample)).isGreaterThanOrEqualTo(before + 1);
  }

  @Test
  void hasMetricsOfTheDatabaseTheBuildAndTheRequestLog() {
    merchant.api().products("page=1");

    assertThat(value("stockroom_database_answers{database=\"directory\"}")).isEqualTo(1);
    assertThat(value("stockroom_request_log_calls_total{result=\"kept\"}")).isPositive();
    assertThat(scrape()).contains("stockroom_build{", "stockroom_imports{state=\"applying\"}");
  }

  @Test
  void hasEveryMetricThatTheAlarmsNeed() throws IOException {
    Object document =
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .load(Files.readString(FOLDER.resolve("alerts.yaml")));
    JsonNode rules = new JsonMapper().<JsonNode>valueToTree(document).at("/groups/0/rules");
    List<String> expressions =
        rules.valueStream().map(rule -> rule.path("expr").asString()).toList();

    assertThat(expressions).hasSizeGreaterThan(5);
    Set<String> known = known();
    // of servers with TLS of their own, which TlsTest looks for
    known.add("stockroom_certificate_expiry_seconds");
    assertThat(names(expressions)).isNotEmpty().isSubsetOf(known);
  }

  @Test
  void hasEveryMetricThatTheDashboardDraws() throws IOException {
    JsonNode dashboard =
        new JsonMapper().readTree(Files.readString(FOLDER.resolve("dashboard.json")));
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      panel.get("targets").forEach(target -> expressions.add(target.get("expr").asString()));
    }

    assertThat(expressions).hasSizeGreaterThan(10).allMatch(text -> NAME.matcher(text).find());
    assertThat(names(expressions)).isNotEmpty().isSubsetOf(known());
  }

  private Set<String> known() {
    merchant.api().products("page=x");
    return scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.replaceFirst("[{ ].*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> names(List<String> expressions) {
    Set<String> names = new TreeSet<>();
    for (String expression : expressions) {
      Matcher matcher = NAME.matcher(expression);
      while (matcher.find()) {
        names.add(matcher.group());
      }
    }
    return names;
  }

  private static double value(String sample) {
    return scrape()
        .lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  private static String scrape() {
    String address = "http://127.0.0.1:" + TestServer.shared().adminPort() + "/metrics";
    return Http.send(HttpRequest.newBuilder(URI.create(address)).GET()).body();
  }
}
