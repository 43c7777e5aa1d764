package io.stockroom.lab.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementSimulationTest {
  private static final int MERCHANTS = 20_000;
  private static final int DAYS = 12;

  @Test
  void balancesTheCellsWithFewMoves() {
    List<PlacementDay> days = run(100);

    assertThat(days.getFirst().balance()).isGreaterThan(1.5);
    assertThat(days.getLast().balance()).isLessThan(1.25);
    assertThat(days).allMatch(day -> day.moves() <= 100);
    assertThat(days.getLast().moves()).isLessThan(100);
  }

  @Test
  void leavesEveryMerchantWhereItIsWithoutMoves() {
    assertThat(run(0)).allMatch(day -> day.moves() == 0 && day.moved() == 0);
    assertThat(run(0).getLast().balance()).isGreaterThan(1.5);
  }

  @Test
  void givesTheSameResultForTheSameSeed() {
    assertThat(run(50)).isEqualTo(run(50));
  }

  @Test
  void comparesTheHottestCellWithTheAverageOfThoseThatCount() {
    double[] load = {10, 3, 1};

    assertThat(PlacementDay.balance(load, new boolean[] {true, false, false})).isEqualTo(1.5);
    assertThat(PlacementDay.balance(load, new boolean[] {true, true, true})).isEqualTo(1);
  }

  private static List<PlacementDay> run(int moves) {
    int all = MERCHANTS + DAYS * 20;
    PlacementSimulation simulation =
        new PlacementSimulation(
            new MerchantLoads(all, 1.0, 7),
            MERCHANTS,
            all,
            new PlacementSimulation.Plan(20, 20, moves, 1.1));
    List<PlacementDay> days = new ArrayList<>();
    for (int day = 0; day < DAYS; day++) {
      days.add(simulation.nextDay());
    }
    return days;
  }
}
