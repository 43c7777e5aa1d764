package io.stockroom.lab.placement;

import java.util.Arrays;

/**
 * Places merchants on cells, day by day. A new merchant, whose load nobody knows yet, gets the
 * emptiest cell. At night a few merchants move from hot cells to cold ones, by the load measured so
 * far. A merchant with more than half of the load of an average cell is a giant: its cell gets no
 * other merchants, and gives away the larger ones that it has.
 */
final class PlacementSimulation {
  private static final double GIANT = 0.5;

  /** A merchant with a smaller share of a cell is not worth a move. */
  private static final double MIN_SHARE = 0.001;

  /** What a run needs to know. */
  record Plan(int cells, int newPerDay, int maxMoves, double tolerance) {}

  private final MerchantLoads loads;
  private final Plan plan;
  private final int[] cellOf;
  private int present;

  // of the current day
  private double[] load;
  private int[] largest;
  private boolean[] giant;
  private double target;

  /** Places the merchants who are there from the beginning, as they arrive one by one. */
  PlacementSimulation(MerchantLoads loads, int first, int all, Plan plan) {
    this.loads = loads;
    this.plan = plan;
    this.cellOf = new int[all];
    this.present = first;
    this.load = new double[plan.cells()];
    this.largest = new int[plan.cells()];
    this.giant = new boolean[plan.cells()];
    for (int merchant = 0; merchant < first; merchant++) {
      // without any load yet, the emptiest cell is that with the fewest merchants: the next in turn
      cellOf[merchant] = merchant % plan.cells();
    }
  }

  /** A day with its calls, then a night with its moves, then the new merchants of the next day. */
  PlacementDay nextDay() {
    loads.nextDay(present);
    double[] today = new double[plan.cells()];
    for (int merchant = 0; merchant < present; merchant++) {
      today[cellOf[merchant]] += loads.today(merchant);
    }
    measure();
    int giants = 0;
    for (boolean each : giant) {
      giants += each ? 1 : 0;
    }
    double balance = PlacementDay.balance(load, giant);
    double dayBalance = PlacementDay.balance(today, giant);
    double largestCell = PlacementDay.balance(today, new boolean[plan.cells()]);
    double all = Arrays.stream(load).sum();
    Moves moves = move();
    welcome();
    return new PlacementDay(
        balance, dayBalance, giants, largestCell, moves.count(), moves.load() / all);
  }

  private void measure() {
    load = new double[plan.cells()];
    Arrays.fill(largest, -1);
    for (int merchant = 0; merchant < present; merchant++) {
      int cell = cellOf[merchant];
      load[cell] += loads.measured(merchant);
      if (largest[cell] < 0 || loads.measured(merchant) > loads.measured(largest[cell])) {
        largest[cell] = merchant;
      }
    }
    double mean = Arrays.stream(load).average().orElse(0);
    double others = 0;
    int count = 0;
    for (int cell = 0; cell < plan.cells(); cell++) {
      giant[cell] = largest[cell] >= 0 && loads.measured(largest[cell]) > mean * GIANT;
      others += giant[cell] ? 0 : load[cell];
      count += giant[cell] ? 0 : 1;
    }
    target = count == 0 ? mean : others / count;
  }

  private record Moves(int count, double load) {}

  /** Moves merchants, at most as many as planned. */
  private Moves move() {
    CellIndex index = new CellIndex(cellOf, present, plan.cells());
    boolean[] done = new boolean[plan.cells()];
    int moves = 0;
    double moved = 0;
    while (moves < plan.maxMoves()) {
      int hot = hottest(done);
      if (hot < 0) {
        break;
      }
      int cold = coldest();
      int merchant = candidate(index, hot, cold);
      if (merchant < 0) {
        done[hot] = true;
        continue;
      }
      double its = loads.measured(merchant);
      load[hot] -= its;
      load[cold] += its;
      cellOf[merchant] = cold;
      moves++;
      moved += its;
    }
    return new Moves(moves, moved);
  }

  /** The hottest cell that gives merchants away; first those without a giant. */
  private int hottest(boolean[] done) {
    int hottest = -1;
    for (int cell = 0; cell < plan.cells(); cell++) {
      boolean hot = giant[cell] || load[cell] > target * plan.tolerance();
      if (hot && !done[cell] && (hottest < 0 || isHotter(cell, hottest))) {
        hottest = cell;
      }
    }
    return hottest;
  }

  private boolean isHotter(int cell, int other) {
    return giant[cell] == giant[other] ? load[cell] > load[other] : giant[other];
  }

  private int coldest() {
    int coldest = -1;
    for (int cell = 0; cell < plan.cells(); cell++) {
      if (!giant[cell] && (coldest < 0 || load[cell] < load[coldest])) {
        coldest = cell;
      }
    }
    return Math.max(coldest, 0);
  }

  /** The largest merchant of a hot cell that makes neither cell worse than the average; or -1. */
  private int candidate(CellIndex index, int hot, int cold) {
    double room = target - load[cold];
    double most = giant[hot] ? room : Math.min(room, load[hot] - target);
    int best = -1;
    for (int merchant : index.merchantsOf(hot)) {
      double its = loads.measured(merchant);
      boolean fits = its <= most || (giant[hot] && its > target * GIANT);
      if (cellOf[merchant] == hot
          && merchant != largest[hot]
          && its > target * MIN_SHARE
          && fits
          && (best < 0 || its > loads.measured(best))) {
        best = merchant;
      }
    }
    return best;
  }

  private void welcome() {
    for (int i = 0; i < plan.newPerDay() && present < cellOf.length; i++) {
      int cell = coldest();
      cellOf[present++] = cell;
      // until it is measured, it counts as an average merchant
      load[cell] += 1;
    }
  }
}
