package io.stockroom.server.console.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {
  private static final List<String> MOMENTS = List.of("10:00", "10:01", "10:02", "10:03");

  @Test
  void scalesToARoundNumberThatIsNotBelowAnyValue() {
    assertThat(plot(0.0, 3.0, 7.0, 0.0).heights()).containsExactly("8", "6", "4", "2", "0");
    assertThat(plot(0.0, 0.0, 8.0, 0.0).heights().getFirst()).isEqualTo("8");
    assertThat(plot(0.0, 0.0, 8.1, 0.0).heights().getFirst()).isEqualTo("10");
    assertThat(plot(0.0, 0.0, 0.0, 0.0).heights().getFirst()).isEqualTo("4");
    assertThat(plot(0.0, 1500.0, 0.0, 0.0).heights().getFirst()).isEqualTo("2,000");
  }

  @Test
  void leavesAGapWhereThereIsNoValueAndADotWhereOneStandsAlone() {
    String svg = plot(Double.NaN, 2.0, Double.NaN, 1.0).svg();

    assertThat(svg).contains("class=\"line line-calls\" d=\"M225 0h0M525 60h0\"");
  }

  @Test
  void tellsEveryMomentToAPointerAndListsThoseWithValues() {
    Plot plot = plot(0.0, 2.5, 0.0, 1.0);

    assertThat(plot.svg()).contains("<title>10:01 · a&lt;b 2.5</title>");
    assertThat(plot.rows())
        .containsExactly(
            new Plot.Row("10:01", List.of("2.5")), new Plot.Row("10:03", List.of("1")));
    assertThat(plot.times()).hasSize(5).startsWith("10:00").endsWith("10:03");
  }

  private static Plot plot(Double... values) {
    return Plot.of(
        MOMENTS, List.of(new Plot.Line("calls", List.of(values), false)), List.of("a<b"));
  }
}
