package io.stockroom.lab.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What an experiment of a short run leaves running, for the next ones: most of the work of a round
 * is the start of servers and databases. A long run stops them, so that each experiment is alone.
 */
final class Spares {
  private final List<Server> servers = new ArrayList<>();
  private final List<Postgres> databases = new ArrayList<>();
  private final List<Postgres> order = new ArrayList<>();
  private final List<PostgresProxy> proxies = new ArrayList<>();

  synchronized void leave(Server server) {
    servers.add(server);
  }

  synchronized void leave(PostgresProxy proxy) {
    proxies.add(proxy);
  }

  /** In the order of their first use, so that experiments give them the same roles again. */
  synchronized void leave(Postgres database) {
    if (!order.contains(database)) {
      order.add(database);
    }
    databases.add(database);
    databases.sort(Comparator.comparingInt(order::indexOf));
  }

  synchronized Optional<Server> server(Predicate<Server> fits) {
    return take(servers, fits);
  }

  synchronized Optional<PostgresProxy> proxy(int target) {
    return take(proxies, proxy -> proxy.target() == target);
  }

  synchronized Optional<Postgres> database(Predicate<Postgres> fits) {
    return take(databases, fits);
  }

  /** For experiments in which no other node of the same database may take a task. */
  synchronized void stopServers() {
    Server.stopAll(servers);
    servers.clear();
  }

  private static <T> Optional<T> take(List<T> all, Predicate<T> fits) {
    Optional<T> found = all.stream().filter(fits).findFirst();
    found.ifPresent(all::remove);
    return found;
  }
}
