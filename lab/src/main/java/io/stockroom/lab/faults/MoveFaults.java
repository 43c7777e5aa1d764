package io.stockroom.lab.faults;

import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.Postgres;
import io.stockroom.lab.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A merchant moves under load between the directory's database and the cell {@code east}, and
 * something that takes part in it fails: at a random moment, when its writes are paused, or when
 * the old rows are deleted.
 */
final class MoveFaults {
  private static final int MERCHANTS = 3;

  /** Each create adds a color, and a product has at most 1,000. */
  private static final int ROUNDS_PER_MERCHANT = 2;

  private static final int MAX_MOMENT_MILLIS = 6_000;
  private static final int MAX_AFTER_PAUSE_MILLIS = 120;

  /** Longer than the lease of a move, so that the other node takes over. */
  private static final Duration SUSPENSION = Duration.ofSeconds(13);

  private static final Duration MAX_MOVE = Duration.ofMinutes(2);
  private static final Duration MAX_RECOVERY = Duration.ofSeconds(60);
  private static final String REPLICATION =
      """
      select 'slot ' || slot_name from pg_replication_slots
      union all select 'publication ' || pubname from pg_publication
      union all select 'subscription ' || subname from pg_subscription
      union all select 'origin ' || roname from pg_replication_origin
      """;

  /** One of the nodes drives the move. */
  private enum Victim {
    FIRST_NODE,
    SOURCE,
    SECOND_NODE,
    TARGET,
    NODE_SUSPENDED
  }

  private final Stage stage;
  private final Report report;
  private final Random random;
  private final DirectSql directory;
  private final List<Postgres> databases;
  private final List<Rounds> courses = new ArrayList<>();
  private int done;

  private MoveFaults(Stage stage, Report report) {
    this.stage = stage;
    this.report = report;
    this.random = stage.laboratory().random();
    this.databases = List.of(stage.postgres(), stage.cell("east"));
    this.directory = stage.postgres().sql();
    for (int i = 0; i < MERCHANTS; i++) {
      int number = i;
      courses.add(
          new Rounds(
                  stage.laboratory(),
                  report,
                  stage::url,
                  stage.operator(),
                  () -> databases.get(cellOf(merchant(number))).sql())
              .clients(1)
              .in(i % 2 == 0 ? "main" : "east"));
    }
  }

  /** 0 for {@code main}, 1 for {@code east}. */
  private int cellOf(Merchant merchant) {
    String cell =
        "select cell.name from merchant join cell using (cell_id) where merchant_id = %d"
            .formatted(merchant.id());
    return directory.text(cell).equals("main") ? 0 : 1;
  }

  private Merchant merchant(int course) {
    return courses.get(course).merchants().getFirst();
  }

  static void run(Stage stage, int rounds, Report report) throws Exception {
    new MoveFaults(stage, report).run(rounds);
  }

  private void run(int rounds) throws Exception {
    int first = random.nextInt(Victim.values().length - 1);
    for (int round = 0; round < rounds; round++) {
      if (round % ROUNDS_PER_MERCHANT == 0) {
        courses.forEach(Rounds::newMerchants);
      }
      courses.forEach(Rounds::stockUp);
      round(merchant(round % MERCHANTS), Victim.values()[(first + round) % Victim.values().length]);
      courses.forEach(Rounds::check);
      report.rounds(1);
    }
    courses.forEach(Rounds::end);
    report.remark("%d of %d moves were completed", done, rounds);
  }

  private void round(Merchant moving, Victim victim) {
    int source = cellOf(moving);
    List<Merchant> merchants = courses.stream().map(each -> each.merchants().getFirst()).toList();
    Clients clients = new Clients(stage.laboratory(), merchants, stage::url);
    clients.awaitAcknowledged(merchants.size());
    int move = begin(moving, source == 0 ? "east" : "main");
    String moment = strike(victim, move, moving, source);
    boolean hasEnded = Await.within(MAX_MOVE, () -> hasEnded(move));
    if (hasEnded) {
      clients.mark();
      report.recovered(clients.awaitEveryClient(MAX_RECOVERY));
    }
    clients.stop();
    String story =
        "%s fails %s: %s"
            .formatted(
                victim, moment, column("concat_ws(' ', phase, message, pause_millis)", move));
    stage.laboratory().say("  " + story);
    if (hasEnded) {
      judge(move, moving, source, story);
    } else {
      report.fault("the move does not end: " + story);
    }
  }

  private String column(String column, int move) {
    return directory.text(
        "select %s from merchant_move where move_id = %d".formatted(column, move));
  }

  private boolean hasEnded(int move) {
    return column("ended_at is not null", move).equals("t");
  }

  /** The databases may still be busy with what an earlier round left. */
  private int begin(Merchant moving, String to) {
    String path = "/admin/merchants/%d/move".formatted(moving.id());
    String body = "{\"to\":\"%s\"}".formatted(to);
    Await.until(
        MAX_RECOVERY,
        "the move to be accepted",
        () -> stage.operator().at(stage.url()).post(path, body).status() / 100 == 2);
    String last = "select max(move_id) from merchant_move where merchant_id = " + moving.id();
    return (int) directory.number(last);
  }

  private String strike(Victim victim, int move, Merchant moving, int source) {
    int longest = MAX_AFTER_PAUSE_MILLIS;
    String moment =
        List.of("after the request", "after the pause began", "after the switch")
            .get(random.nextInt(3));
    String paused =
        "select count(*) from absent_merchant where state = 'left' and merchant_id = "
            + moving.id();
    if (moment.contains("pause")) {
      DirectSql left = databases.get(source).sql();
      boolean _ = Await.within(MAX_MOVE, () -> left.number(paused) > 0 || hasEnded(move));
    } else if (moment.contains("switch")) {
      String switched = "coalesce(switched_at, ended_at) is not null";
      boolean _ = Await.within(MAX_MOVE, () -> column(switched, move).equals("t"));
    } else {
      longest = MAX_MOMENT_MILLIS;
    }
    int millis = random.nextInt(longest);
    Await.pause(Duration.ofMillis(millis));
    switch (victim) {
      case FIRST_NODE -> restart(stage.nodes().get(0));
      case SECOND_NODE -> restart(stage.nodes().get(1));
      case SOURCE -> restart(databases.get(source));
      case TARGET -> restart(databases.get(1 - source));
      case NODE_SUSPENDED -> {
        Server node = stage.nodes().get(random.nextInt(2));
        node.freeze();
        Await.pause(SUSPENSION);
        node.thaw();
      }
    }
    return "%d ms %s".formatted(millis, moment);
  }

  private static void restart(Server node) {
    node.kill();
    var _ = node.start();
  }

  private void restart(Postgres database) {
    database.kill();
    Await.pause(Duration.ofMillis(random.nextInt(2_000)));
    var _ = database.start();
  }

  private void judge(int move, Merchant moving, int source, String story) {
    boolean isDone = column("phase", move).equals("done");
    done += isDone ? 1 : 0;
    if (!isDone && column("message", move).isEmpty()) {
      report.fault("the move gives no reason: " + story);
    }
    int expected = isDone ? 1 - source : source;
    if (cellOf(moving) != expected) {
      report.fault("the merchant is in the wrong cell: " + story);
    }
    for (String rest : rowsOf(databases.get(1 - expected).sql(), moving)) {
      report.fault("rows remain where the merchant is not, %s: %s".formatted(rest, story));
    }
    for (Postgres database : databases) {
      for (String rest : database.sql().column(REPLICATION)) {
        report.fault("replication remains, %s: %s".formatted(rest, story));
      }
    }
  }

  /** The tables of a cell that have rows of a merchant. */
  private static List<String> rowsOf(DirectSql cell, Merchant merchant) {
    String tables =
        """
        select relname from pg_class c
        where relnamespace = 'public'::regnamespace and relkind = 'r'
          and relname <> 'absent_merchant'
          and obj_description(c.oid, 'pg_class') like 'Merchant data:%'
        """;
    return cell.column(tables).stream()
        .filter(
            table ->
                cell.number(
                        "select count(*) from %s where merchant_id = %d"
                            .formatted(table, merchant.id()))
                    > 0)
        .toList();
  }
}
