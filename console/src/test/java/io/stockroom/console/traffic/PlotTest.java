package io.stockroom.console.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PlotTest {
  private static final List<String> MOMENTS = List.of("10:00", "10:01", "10:02", "10:03");

  @Test
  void dividesCountsIntoWholeNumbers() {
    assertThat(counts(0, 1, 0, 0).heights()).containsExactly("4", "3", "2", "1", "0");
    assertThat(counts(0, 4, 0, 0).heights().getFirst()).isEqualTo("4");
    assertThat(counts(0, 5, 0, 0).heights()).containsExactly("8", "6", "4", "2", "0");
    assertThat(counts(0, 9, 0, 0).heights()).containsExactly("12", "9", "6", "3", "0");
    assertThat(counts(0, 60, 0, 0).heights()).containsExactly("60", "45", "30", "15", "0");
    assertThat(counts(0, 61, 0, 0).heights().getFirst()).isEqualTo("80");
    // what is measured may be divided more finely
    assertThat(plot(0.0, 1.0, 0.0, 0.0).heights()).containsExactly("1", "0.75", "0.5", "0.25", "0");
  }

  @Test
  void scalesToARoundNumberThatIsNotBelowAnyValue() {
    assertThat(plot(0.0, 3.0, 7.0, 0.0).heights()).containsExactly("8", "6", "4", "2", "0");
    assertThat(plot(0.0, 0.0, 8.0, 0.0).heights().getFirst()).isEqualTo("8");
    assertThat(plot(0.0, 0.0, 8.1, 0.0).heights().getFirst()).isEqualTo("10");
    assertThat(plot(0.0, 0.0, 0.0, 0.0).heights().getFirst()).isEqualTo("4");
    assertThat(plot(0.0, 1500.0, 0.0, 0.0).heights().getFirst()).isEqualTo("2,000");
  }

  @Test
  void connectsNeighborsAndMarksIsolatedValues() {
    String alone = plot(Double.NaN, 2.0, Double.NaN, 1.0).svg();
    String pair = plot(2.0, 1.0, Double.NaN, 1.0).svg();

    assertThat(alone)
        .contains("class=\"point line-calls\" d=\"M225 0h0M525 60h0\"")
        .doesNotContain("class=\"line ");
    assertThat(pair)
        .contains("class=\"line line-calls\" d=\"M75 0L225 60\"")
        .contains("class=\"point line-calls\" d=\"M525 60h0\"");
  }

  @Test
  void hasATooltipForEveryMomentAndListsThoseWithValues() {
    Plot plot = plot(0.0, 2.5, 0.0, 1.0);

    assertThat(plot.svg()).contains("<title>10:01 · a&lt;b 2.5</title>");
    assertThat(plot.rows())
        .containsExactly(
            new Plot.Row("10:01", List.of("2.5")), new Plot.Row("10:03", List.of("1")));
    assertThat(plot.times()).hasSize(5).startsWith("10:00").endsWith("10:03");
  }

  private static Plot plot(Double... values) {
    return plot(Plot.Scale.MEASURE, List.of(values));
  }

  private static Plot counts(double... values) {
    return plot(Plot.Scale.COUNT, DoubleStream.of(values).boxed().toList());
  }

  private static Plot plot(Plot.Scale scale, List<Double> values) {
    return Plot.of(MOMENTS, scale, List.of(new Plot.Line("calls", values, false)), List.of("a<b"));
  }
}
