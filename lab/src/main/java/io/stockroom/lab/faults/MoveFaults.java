package io.stockroom.lab.faults;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two databases, the directory with the cell {@code main} and the cell {@code east}, and two nodes.
 * A merchant moves from cell to cell under load, and something that takes part in it fails.
 */
final class MoveFaults {
  private static final int MERCHANTS = 3;

  /** Each create adds a color, and a product has at most 1,000. */
  private static final int ROUNDS_PER_MERCHANT = 2;

  private static final int MAX_REQUESTS = 20;
  private static final int MAX_MOMENT_MILLIS = 6_000;
  private static final int MAX_AFTER_PAUSE_MILLIS = 120;

  /** Longer than the lease of a move, so that the other node takes over. */
  private static final Duration SUSPENSION = Duration.ofSeconds(13);

  private static final Duration MAX_CLAIM = Duration.ofSeconds(5);
  private static final Duration MAX_MOVE = Duration.ofMinutes(2);
  private static final Duration MAX_RECOVERY = Duration.ofSeconds(60);

  /** After what the fault happens. */
  private enum Moment {
    REQUEST,
    PAUSE,
    CLEANING
  }

  private enum Victim {
    DRIVER("the driving node is killed"),
    SOURCE("the old cell is killed"),
    OTHER_NODE("the other node is killed"),
    TARGET("the new cell is killed"),
    SUSPENDED("the driving node is suspended");

    private final String meaning;

    Victim(String meaning) {
      this.meaning = meaning;
    }
  }

  private final Laboratory laboratory;
  private final Report report;
  private final Random random;
  private final MoveSight sight;
  private final List<Postgres> databases;
  private final List<Server> nodes = new ArrayList<>();
  private final List<Rounds> courses = new ArrayList<>();
  private int done;

  private MoveFaults(Laboratory laboratory, Report report) throws SQLException {
    this.laboratory = laboratory;
    this.report = report;
    this.random = laboratory.random();
    Postgres main = Postgres.start(laboratory, "move-main");
    Postgres east = Postgres.start(laboratory, "move-east");
    this.databases = List.of(main, east);
    this.sight = new MoveSight(main);
    for (int i = 0; i < 2; i++) {
      nodes.add(Server.outside(laboratory, "move-node", main.url()));
    }
    Server.startAll(nodes);
    laboratory.spares().stopServers();
    east.addAsCell("east", main, nodes.getFirst().operator());
    AtomicInteger turn = new AtomicInteger();
    for (int i = 0; i < MERCHANTS; i++) {
      int number = i;
      courses.add(
          new Rounds(
                  laboratory,
                  report,
                  () -> nodes.get(turn.getAndIncrement() % nodes.size()).url(),
                  nodes.getFirst().operator(),
                  () -> databases.get(cellOf(number)).connect())
              .clients(1)
              .in(i % 2 == 0 ? "main" : "east"));
    }
  }

  private int cellOf(int course) throws SQLException {
    return sight.cellOf(merchant(course).id()).equals("main") ? 0 : 1;
  }

  private Merchant merchant(int course) {
    return courses.get(course).merchants().getFirst();
  }

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    new MoveFaults(laboratory, report).run(rounds);
  }

  private void run(int rounds) throws Exception {
    int first = random.nextInt(Victim.values().length - 1);
    for (int round = 0; round < rounds; round++) {
      if (round % ROUNDS_PER_MERCHANT == 0) {
        courses.forEach(Rounds::settle);
        courses.forEach(Rounds::newMerchants);
      }
      for (Rounds course : courses) {
        course.stockUp();
      }
      round(round % MERCHANTS, Victim.values()[(first + round) % Victim.values().length]);
      for (Rounds course : courses) {
        course.check();
      }
      report.round();
    }
    courses.forEach(Rounds::settle);
    courses.getFirst().verifyTrail();
    report.remark("%d of %d moves were completed".formatted(done, rounds));
    Server.leaveAll(nodes);
    databases.forEach(Postgres::leave);
  }

  private void round(int course, Victim victim) throws SQLException {
    int source = cellOf(course);
    Merchant moving = merchant(course);
    List<Merchant> merchants = courses.stream().map(each -> each.merchants().getFirst()).toList();
    AtomicInteger turn = new AtomicInteger();
    Clients clients =
        Clients.start(
            laboratory, merchants, () -> nodes.get(turn.getAndIncrement() % nodes.size()).url());
    clients.awaitAcknowledged(merchants.size());
    Server driver = nodes.get(random.nextInt(nodes.size()));
    int move = begin(moving, source == 0 ? "east" : "main", driver);
    String moment = strike(victim, move, moving, source, driver);
    if (!Await.withinSeldom(MAX_MOVE, () -> sight.hasEnded(move))) {
      report.fault("%s: the move does not end; %s".formatted(victim.meaning, sight.show(move)));
      clients.stop();
      return;
    }
    clients.mark();
    report.recovered(clients.awaitEveryClient(MAX_RECOVERY));
    clients.stop();
    awaitService(merchants);
    String story = "%s (%s): %s".formatted(victim.meaning, moment, sight.show(move));
    laboratory.say("  " + story);
    judge(move, moving, source, story);
  }

  /** Asks for a move that {@code driver} begins: the other node is suspended until then. */
  private int begin(Merchant moving, String to, Server driver) throws SQLException {
    Server other = otherThan(driver);
    String path = "/admin/merchants/%d/move".formatted(moving.id());
    for (int i = 1; ; i++) {
      other.freeze();
      try {
        Answer answer = driver.operator().post(path, "{\"to\":\"%s\"}".formatted(to));
        if (sight.isMoving(moving.id())) {
          int move = sight.lastMove(moving.id());
          sight.awaitHolder(move, MAX_CLAIM);
          return move;
        }
        if (i == MAX_REQUESTS) {
          throw new IllegalStateException("the move was refused: " + answer);
        }
      } finally {
        other.thaw();
      }
      // the suspended node may hold a lock
      Await.pause(Duration.ofMillis(500));
    }
  }

  /** Each node must serve each merchant again. */
  private void awaitService(List<Merchant> merchants) {
    for (Server node : nodes) {
      for (Merchant merchant : merchants) {
        Intent intent = merchant.next(Kind.CREATE);
        Await.until(
            MAX_RECOVERY,
            "merchant %d on %s".formatted(merchant.id(), node.url()),
            () -> {
              Outcome outcome = merchant.send(node.url(), intent).outcome(intent.kind());
              if (outcome == Outcome.UNKNOWN) {
                Await.pause(Duration.ofMillis(100));
              }
              return outcome == Outcome.ACKNOWLEDGED;
            });
      }
    }
  }

  private Server otherThan(Server node) {
    return nodes.get(1 - nodes.indexOf(node));
  }

  private String strike(Victim victim, int move, Merchant moving, int source, Server first)
      throws SQLException {
    String holder = sight.holder(move);
    int longest = MAX_AFTER_PAUSE_MILLIS;
    String moment;
    switch (Moment.values()[random.nextInt(Moment.values().length)]) {
      case PAUSE -> {
        sight.awaitPause(databases.get(source), move, moving.id(), MAX_MOVE);
        moment = "the pause began";
      }
      case CLEANING -> {
        sight.awaitSwitch(move, MAX_MOVE);
        moment = "the switch";
      }
      default -> {
        longest = MAX_MOMENT_MILLIS;
        moment = "the request";
      }
    }
    int millis = random.nextInt(longest);
    Await.pause(Duration.ofMillis(millis));
    moment = "%d ms after %s, %s".formatted(millis, moment, sight.phase(move));
    Server driver = sight.holder(move).equals(holder) ? first : otherThan(first);
    switch (victim) {
      case DRIVER -> restart(driver);
      case OTHER_NODE -> restart(otherThan(driver));
      case SOURCE -> restart(databases.get(source));
      case TARGET -> restart(databases.get(1 - source));
      case SUSPENDED -> {
        driver.freeze();
        Await.pause(SUSPENSION);
        driver.thaw();
      }
    }
    return moment;
  }

  private static void restart(Server node) {
    node.kill(() -> {});
    node.start();
  }

  private void restart(Postgres database) {
    database.kill(() -> {});
    Await.pause(Duration.ofMillis(random.nextInt(2_000)));
    database.start();
  }

  private void judge(int move, Merchant moving, int source, String story) throws SQLException {
    boolean isDone = sight.phase(move).equals("done");
    done += isDone ? 1 : 0;
    if (!isDone && sight.message(move).isEmpty()) {
      report.fault("the move gives no reason: " + story);
    }
    String expected = isDone == (source == 0) ? "east" : "main";
    if (!sight.cellOf(moving.id()).equals(expected)) {
      report.fault("the merchant is not in the cell %s: %s".formatted(expected, story));
    }
    Postgres left = databases.get(isDone ? source : 1 - source);
    for (String rest : MoveSight.rowsOf(left, moving.id())) {
      report.fault("rows remain where the merchant is not, %s: %s".formatted(rest, story));
    }
    for (Postgres database : databases) {
      for (String rest : MoveSight.replication(database)) {
        report.fault("replication remains, %s: %s".formatted(rest, story));
      }
    }
  }
}
