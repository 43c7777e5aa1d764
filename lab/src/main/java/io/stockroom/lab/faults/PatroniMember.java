package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;
import io.stockroom.lab.HttpCalls;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One of the database machines: Patroni and the PostgreSQL that it runs. */
final class PatroniMember {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Laboratory laboratory;
  private final MemberNetwork network;
  private final int number;
  private final int port;
  private final Path folder;
  private final Map<String, String> environment;
  private final Path configuration;
  private @Nullable Process patroni;

  /** A member that is not started yet; all have the same configuration and environment. */
  PatroniMember(
      Laboratory laboratory,
      MemberNetwork network,
      int number,
      Path configuration,
      Map<String, String> environment) {
    this.laboratory = laboratory;
    this.network = network;
    this.number = number;
    this.port = laboratory.newPort();
    this.folder = PatroniCluster.folderOfPostgres(laboratory, name());
    this.configuration = configuration;
    this.environment = new HashMap<>(environment);
    String rest = network.address(number) + ":" + restPort();
    this.environment.putAll(
        Map.of(
            "PATRONI_NAME", name(),
            "PATRONI_RESTAPI_LISTEN", rest,
            "PATRONI_RESTAPI_CONNECT_ADDRESS", rest,
            "PATRONI_POSTGRESQL_LISTEN", address(),
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS", address(),
            "PATRONI_POSTGRESQL_DATA_DIR", folder.resolve("data").toString(),
            "PATRONI_POSTGRESQL_PGPASS", folder.resolve("pgpass").toString(),
            "LC_ALL", "C.UTF-8"));
  }

  String name() {
    return "db" + (number + 1);
  }

  String address() {
    return network.address(number) + ":" + port;
  }

  int restPort() {
    return port + 1;
  }

  void start() {
    List<String> command = new ArrayList<>(network.on(number));
    command.addAll(PatroniCluster.asPostgres());
    command.addAll(List.of("patroni", configuration.toString()));
    Path log = folder.resolveSibling(folder.getFileName() + ".log");
    patroni = laboratory.processes().start(command, environment, log);
  }

  /** Asks Patroni. */
  Answer ask(String path) {
    return HttpCalls.get(rest(path), PATIENCE);
  }

  String rest(String path) {
    return "http://%s:%d%s".formatted(network.address(number), restPort(), path);
  }

  boolean isPrimary() {
    return ask("/primary").status() == 200;
  }

  void strike(PatroniFaults.Fault fault) {
    switch (fault) {
      case KILL -> kill(everything());
      case CRASH -> kill(postgres());
      case FREEZE -> laboratory.processes().signal("STOP", everything());
      case CUT -> network.cut(number);
    }
  }

  void repair(PatroniFaults.Fault fault) {
    switch (fault) {
      case KILL -> start();
      case CRASH -> {
        // Patroni starts it again
      }
      case FREEZE -> laboratory.processes().signal("CONT", everything());
      case CUT -> network.join(number);
    }
  }

  private static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    processes.forEach(Processes::awaitEnd);
  }

  /** PostgreSQL is no child of Patroni, so that it survives Patroni's end. */
  private List<ProcessHandle> everything() {
    List<ProcessHandle> all = new ArrayList<>(postgres());
    Process running = patroni;
    if (running != null) {
      all.addAll(Processes.family(running.toHandle()));
    }
    return all.stream().distinct().filter(ProcessHandle::isAlive).toList();
  }

  private List<ProcessHandle> postgres() {
    Path file = folder.resolve("data/postmaster.pid");
    try {
      return Files.exists(file)
          ? ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst().strip()))
              .map(Processes::family)
              .orElse(List.of())
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
