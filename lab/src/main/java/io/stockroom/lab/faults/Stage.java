package io.stockroom.lab.faults;

import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Operator;
import io.stockroom.lab.Postgres;
import io.stockroom.lab.Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * What most experiments break: an outside PostgreSQL behind a proxy, several nodes on it, and more
 * cells. It is set up once, when it is first needed, because most of a round would be the start of
 * servers.
 */
final class Stage {
  private final Laboratory laboratory;
  private final Map<String, Object> made = new HashMap<>();
  private final AtomicInteger turn = new AtomicInteger();

  Stage(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  Laboratory laboratory() {
    return laboratory;
  }

  /** What is there by this name, which is made when it is first needed. */
  @SuppressWarnings("unchecked")
  private <T> T once(String name, Supplier<T> make) {
    Object known = made.get(name);
    if (known == null) {
      known = make.get();
      made.put(name, known);
    }
    return (T) known;
  }

  /** The database with the directory and the cell {@code main}. */
  Postgres postgres() {
    return once("postgres", () -> Postgres.start(laboratory, "postgres"));
  }

  /** In front of the database; nodes know only this. */
  PostgresProxy proxy() {
    return once("proxy", () -> new PostgresProxy(laboratory, postgres()));
  }

  /** The nodes, ready. */
  List<Server> nodes() {
    int count = laboratory.brief() ? 2 : 3;
    return once("nodes", () -> Server.nodes(laboratory, count, proxy().url()));
  }

  Operator operator() {
    return nodes().getFirst().operator();
  }

  /** The URLs of the nodes in turn. */
  String url() {
    return nodes().get(turn.getAndIncrement() % nodes().size()).url();
  }

  /** Another cell, in a PostgreSQL of its own. */
  Postgres cell(String name) {
    return once(
        "cell " + name,
        () -> {
          Postgres cell = Postgres.start(laboratory, "cell-" + name);
          cell.addAsCell(name, operator());
          return cell;
        });
  }

  /** A server with its embedded PostgreSQL. */
  Server embedded() {
    return once(
        "embedded", () -> Server.embedded(laboratory, laboratory.newFolder("embedded")).start());
  }

  /** Rounds of calls to the nodes in turn. */
  Rounds rounds(Report report) {
    return new Rounds(laboratory, report, this::url, operator(), () -> postgres().sql());
  }

  /** Rounds of calls to a server with an embedded PostgreSQL. */
  Rounds rounds(Report report, Server server) {
    return new Rounds(laboratory, report, server::url, server.operator(), server::sql);
  }
}
