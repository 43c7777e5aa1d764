package io.stockroom.server.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Helm itself lints and renders the chart; it is packed as a library only for amd64. */
@EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
class HelmChartTest {
  private static final Path CHART =
      Path.of("..", "packaging", "helm", "stockroom").toAbsolutePath();
  private static final JsonMapper JSON = new JsonMapper();
  private static final String EVERYTHING =
      """
      image: {repository: registry.internal/stockroom, tag: "1"}
      imagePullSecrets: [{name: registry-login}]
      secret: {existing: stockroom-keys}
      baseUrl: https://stock.example
      trustedProxies: 10.0.0.0/8
      settings: {page-size: "100"}
      extraEnv: [{name: JAVA_TOOL_OPTIONS, value: -Xss1m}]
      ingress:
        enabled: true
        className: nginx
        host: stock.example
        tlsSecret: stock-tls
        annotations: {nginx.ingress.kubernetes.io/proxy-body-size: 4m}
      networkPolicy: {adminFrom: [{namespaceSelector: {matchLabels: {name: monitoring}}}]}
      serviceMonitor: {enabled: true, labels: {release: prometheus}}
      topologySpread: [{topologyKey: zone, maxSkew: 2, whenUnsatisfiable: DoNotSchedule}]
      nodeSelector: {disk: ssd}
      tolerations: [{key: stock, operator: Exists}]
      affinity: {podAntiAffinity: {}}
      podAnnotations: {team: stock}
      """;

  @TempDir Path folder;

  /** The chart without its values: lint reads them from the chart itself. */
  @Test
  void passesTheStrictLint() throws Exception {
    Path copy = Files.createDirectory(folder.resolve("stockroom"));
    try (var files = Files.walk(CHART)) {
      for (Path file : files.toList()) {
        Path to = copy.resolve(CHART.relativize(file).toString());
        if (!Files.exists(to)) {
          Files.copy(file, to);
        }
      }
    }
    Files.writeString(
        copy.resolve("values.yaml"),
        Files.readString(copy.resolve("values.yaml"))
            .replace("existing: \"\"", "existing: stockroom-keys"));

    LintResult result = new Helm(copy).lint().strict().call();

    assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
    assertThat(result.getMessages()).noneMatch(line -> line.matches("(?i).*\\[(error|warning)].*"));
  }

  @Test
  void rendersWithNothingButTheKeys() throws Exception {
    List<JsonNode> rendered = render("secret: {existing: stockroom-keys}");

    assertThat(rendered.stream().map(each -> each.path("kind").asString()))
        .containsExactlyInAnyOrder("Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy");
    JsonNode pod = one(rendered, "Deployment").at("/spec/template/spec");
    assertThat(pod.path("topologySpreadConstraints").size()).isEqualTo(2);
    assertThat(pod.at("/topologySpreadConstraints/0/labelSelector/matchLabels"))
        .isEqualTo(one(rendered, "Deployment").at("/spec/selector/matchLabels"));
    assertThat(pod.has("imagePullSecrets")).isFalse();
    assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isEqualTo(45);
  }

  @Test
  void makesItsOwnSecretFromValues() throws Exception {
    List<JsonNode> rendered =
        render(
            "secret: {databasePassword: p, secretKey: %s, operatorKey: %s}"
                .formatted("k".repeat(43), "o".repeat(32)));

    assertThat(one(rendered, "Secret").at("/stringData/database-password").asString())
        .isEqualTo("p");
  }

  @Test
  void rendersEveryValue() throws Exception {
    List<JsonNode> rendered = render(EVERYTHING);

    JsonNode ingress = one(rendered, "Ingress");
    assertThat(ingress.at("/spec/rules/0/host").asString()).isEqualTo("stock.example");
    assertThat(ingress.at("/spec/tls/0/secretName").asString()).isEqualTo("stock-tls");
    assertThat(ingress.at("/spec/ingressClassName").asString()).isEqualTo("nginx");
    assertThat(ingress.at("/spec/rules/0/http/paths/0/backend/service/name").asString())
        .isEqualTo("shop");
    JsonNode monitor = one(rendered, "ServiceMonitor");
    assertThat(monitor.at("/metadata/labels/release").asString()).isEqualTo("prometheus");
    JsonNode metrics =
        rendered.stream()
            .filter(each -> each.at("/metadata/name").asString().equals("shop-metrics"))
            .findFirst()
            .orElseThrow();
    monitor
        .at("/spec/selector/matchLabels")
        .forEachEntry(
            (name, value) ->
                assertThat(metrics.at("/metadata/labels").path(name)).as(name).isEqualTo(value));
    assertThat(metrics.at("/spec/ports/0/name")).isEqualTo(monitor.at("/spec/endpoints/0/port"));
    JsonNode template = one(rendered, "Deployment").at("/spec/template");
    assertThat(template.at("/metadata/annotations/team").asString()).isEqualTo("stock");
    assertThat(template.at("/metadata/annotations").has("prometheus.io/scrape")).isFalse();
    JsonNode pod = template.path("spec");
    assertThat(pod.at("/imagePullSecrets/0/name").asString()).isEqualTo("registry-login");
    assertThat(pod.at("/topologySpreadConstraints/0/maxSkew").asInt()).isEqualTo(2);
    assertThat(pod.at("/nodeSelector/disk").asString()).isEqualTo("ssd");
    assertThat(pod.at("/tolerations/0/key").asString()).isEqualTo("stock");
    assertThat(pod.path("affinity").has("podAntiAffinity")).isTrue();
    JsonNode container = pod.at("/containers/0");
    assertThat(container.path("image").asString()).isEqualTo("registry.internal/stockroom:1");
    assertThat(container.path("env").valueStream().map(e -> e.path("name").asString()))
        .contains("JAVA_TOOL_OPTIONS", "STOCKROOM_BASEURL", "STOCKROOM_TRUSTEDPROXIES")
        .doesNotHaveDuplicates();
    assertThat(container.path("args").toString()).contains("page-size=100");
  }

  /** The values schema of the chart stops Helm itself. */
  @Test
  void refusesAnIngressWithoutAHostAndAMisspelledValue() {
    String keys = "secret: {existing: stockroom-keys}\n";

    assertThatThrownBy(() -> render(keys + "ingress: {enabled: true}"))
        .hasMessageContaining("host");
    assertThatThrownBy(() -> render(keys + "replica: 3")).hasMessageContaining("replica");
    assertThatThrownBy(() -> render("replicas: 2")).hasMessageContaining("secret");
  }

  private List<JsonNode> render(String values) throws Exception {
    Path file = Files.writeString(folder.resolve("my-values.yaml"), values);
    TemplateCommand command =
        new Helm(CHART)
            .template()
            .withName("shop")
            .withNamespace("stock")
            .withKubeVersion("1.31.0")
            .withValuesFile(file);
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    List<JsonNode> documents = new ArrayList<>();
    for (Object document : new Yaml(new SafeConstructor(options)).loadAll(command.call())) {
      if (document instanceof Map<?, ?> map) {
        documents.add(JSON.valueToTree(map));
      }
    }
    return documents;
  }

  private static JsonNode one(List<JsonNode> documents, String kind) {
    List<JsonNode> found =
        documents.stream().filter(each -> each.path("kind").asString().equals(kind)).toList();
    assertThat(found).as(kind).hasSize(1);
    return found.getFirst();
  }
}
