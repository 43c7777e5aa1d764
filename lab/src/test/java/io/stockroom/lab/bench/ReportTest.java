package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

final class ReportTest {
  private static final Usage QUIET = new Usage(2, 2, 0.5, 0.3, 0.1, 0.02);
  private static final Usage LOUD = new Usage(2, 2, 0.4, 0.2, 0.1, 0.3);

  @Test
  void writesMediansAndTheCostPerRequest() {
    JsonNode node = written(QUIET, 0.4, 0.9, 0.5);

    assertThat(node.path("operation").asString()).isEqualTo("stock list");
    assertThat(node.path("ratio").asDouble()).isEqualTo(0.5);
    assertThat(node.path("rate").asDouble()).isEqualTo(500);
    assertThat(node.path("twinRate").asDouble()).isEqualTo(1000);
    assertThat(node.path("p50Millis").asDouble()).isEqualTo(4);
    assertThat(node.path("p99Millis").asDouble()).isEqualTo(40);
    assertThat(node.path("ratios").size()).isEqualTo(3);
    // half of two CPUs for two seconds, over 1,000 requests
    assertThat(node.path("cpuMicrosEach").path("server").asDouble()).isEqualTo(2000);
    assertThat(node.path("memoryBytes").path("postgres").asLong()).isEqualTo(200_000_000);
    assertThat(node.path("noisy").asBoolean()).isFalse();
    assertThat(written(LOUD, 0.5).path("noisy").asBoolean()).isTrue();
  }

  @Test
  void showsThePeerBesideServerAndTwin() {
    JsonNode node = written(QUIET, 0.4, 0.9, 0.5);

    assertThat(node.path("peer").path("ratio").asDouble()).isEqualTo(0.25);
    assertThat(node.path("peer").path("times").asDouble()).isEqualTo(2);
    assertThat(Table.of(report(node))).contains("server/peer", "2.00", "0.25", "160", "300 MB");
    assertThat(Chart.of(report(node))).contains("Spring Boot + JPA", "0.25");

    ((ObjectNode) node).remove("peer");
    assertThat(Table.of(report(node))).doesNotContain("server/peer");
    assertThat(Chart.of(report(node))).doesNotContain("Spring Boot");
  }

  @Test
  void showsLatencyAtHalfTheRateBesideTheTwin() {
    JsonNode node = written(atHalf(4, 9, 6), QUIET, 0.5).path("halfRate");

    assertThat(node.path("p99Millis").asDouble()).isEqualTo(6);
    assertThat(node.path("p99OverP50").asDouble()).isEqualTo(6);
    assertThat(node.path("twinP99OverP50").asDouble()).isEqualTo(3);
    assertThat(node.path("cpu").asDouble()).isEqualTo(0.92);
    assertThat(Table.of(report(written(atHalf(5), QUIET, 0.5))))
        .contains("5.00  92 %      2.00  6.00     3.00");
    assertThat(Table.of(report(written(atHalf(5.01), QUIET, 0.5)))).contains("5.01 (goal 5)");
  }

  @Test
  void roundsToFourDigits() {
    assertThat(Result.rounded(1234.567)).isEqualTo(1235);
    assertThat(Result.rounded(0.123456)).isEqualTo(0.1235);
    assertThat(Result.rounded(0)).isZero();
    assertThat(Result.rounded(Double.NaN)).isZero();
  }

  @Test
  void showsEveryOperationInATableAndMarksTheNoisyOnes() {
    ObjectNode report = report(written(LOUD, 0.5));
    report.put("noisy", true);

    assertThat(Table.of(report))
        .contains("stock list ~", "0.50", "100 MB", "NOISY")
        .doesNotContain("STALE");
    assertThat(Table.of(report(written(QUIET, 0.5)))).doesNotContain("~ ", "NOISY");
  }

  @ParameterizedTest
  @CsvSource({
    // rounds agree, so 5% is the threshold
    "'0.50 0.50 0.50', '0.52 0.52 0.52', ''",
    "'0.50 0.50 0.50', '0.53 0.53 0.53', better",
    "'0.50 0.50 0.50', '0.47 0.47 0.47', WORSE",
    // rounds that differ by 20% prove nothing smaller
    "'0.45 0.50 0.55', '0.58 0.58 0.58', ''",
    "'0.45 0.50 0.55', '0.62 0.62 0.62', better",
    // a single round is accurate to 15%
    "0.50, 0.57, ''",
    "0.50, 0.58, better",
  })
  void reportsAChangeLargerThanTheNoise(String before, String now, String verdict) {
    String text =
        Comparison.of(report(written(QUIET, ratios(before))), report(written(QUIET, ratios(now))));

    String line = text.lines().filter(each -> each.startsWith("stock list")).findFirst().orElse("");
    assertThat(line.contains("better")).isEqualTo(verdict.equals("better"));
    assertThat(line.contains("WORSE")).isEqualTo(verdict.equals("WORSE"));
  }

  @Test
  void reportsWhenTwoRunsAreNotComparable() {
    ObjectNode before = report(written(QUIET, 0.5));
    ObjectNode now = report(written(QUIET, 0.5));
    assertThat(Comparison.of(before, now)).doesNotContain("differ");

    now.putObject("settings").put("connections", 64);
    now.putObject("tools").put("load", "the bundled driver");
    assertThat(Comparison.of(before, now))
        .contains("differ in their connections", "different tools");
  }

  @Test
  void distinguishesFlatFromGrowingCosts() {
    ObjectNode small = report(written(QUIET, 0.5));
    Usage half = new Usage(2, 2, 0.75, 0.45, 0.1, 0);
    Usage more = new Usage(2, 2, 0.76, 0.46, 0.1, 0);

    assertThat(Growth.of(small, report(written(half, 0.5)))).contains("1.50  flat");
    assertThat(Growth.of(small, report(written(more, 0.5)))).contains("GROWS");
  }

  @Test
  void drawsAWellFormedChartWithTheGoal() throws Exception {
    ObjectNode report = report(written(QUIET, 0.5));
    report.put("commit", "abc <&> def");
    String svg = Chart.of(report);

    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    // server and peer
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(2);
    // the goal in the legend, and that of the operation, which is far from reached
    NodeList lines = document.getElementsByTagName("line");
    assertThat(lines.getLength()).isEqualTo(2);
    assertThat(Integer.parseInt(((Element) lines.item(1)).getAttribute("x1")))
        .isLessThan(Chart.width());
    assertThat(svg).contains(">goal<", "prefers-color-scheme: dark", "abc &lt;&amp;&gt; def");
  }

  @Test
  void selectsOperationsByNameOrPrefix() {
    assertThat(Operation.pick(List.of("create 1", "stock list")))
        .containsExactly(Operation.STOCK_LIST, Operation.CREATE_1);
    assertThat(Operation.pick(List.of("create"))).hasSize(6);
    assertThat(Operation.pick(List.of())).containsExactly(Operation.values());
    assertThat(Operation.pick(List.of("product list"))).containsExactly(Operation.PRODUCT_LIST);
    assertThatThrownBy(() -> Operation.pick(List.of("stok")))
        .hasMessageContaining("stok")
        .hasMessageContaining("stock list");
  }

  private static ObjectNode report(JsonNode operation) {
    ObjectNode report = JsonMapper.shared().createObjectNode();
    report.putArray("operations").add(operation);
    return report;
  }

  private static double[] ratios(String text) {
    return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  private static Result.Paced atHalf(double... p99Millis) {
    return new Result.Paced(
        250,
        Arrays.stream(p99Millis)
            .mapToObj(
                p99 ->
                    new Result.PacedRound(
                        new LoadResult(500, 250, 1, p99), new LoadResult(500, 500, 2, 6), QUIET))
            .toList());
  }

  private static JsonNode written(Usage usage, double... ratios) {
    return written(null, usage, ratios);
  }

  private static JsonNode written(Result.@Nullable Paced paced, Usage usage, double... ratios) {
    List<Result.Round> rounds =
        Arrays.stream(ratios)
            .mapToObj(
                ratio ->
                    new Result.Round(
                        new LoadResult(1000, ratio * 1000, 4, 40),
                        usage,
                        1000,
                        QUIET,
                        new LoadResult(1000, 250, 16, 160)))
            .toList();
    ObjectNode report = JsonMapper.shared().createObjectNode();
    new Result(Operation.STOCK_LIST, rounds, 100_000_000, 200_000_000, 300_000_000, paced)
        .write(report.putArray("operations"));
    return report.path("operations").get(0);
  }
}
