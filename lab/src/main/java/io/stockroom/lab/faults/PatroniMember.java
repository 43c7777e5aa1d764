package io.stockroom.lab.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One of the database machines: Patroni and the PostgreSQL that it runs. */
final class PatroniMember {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Laboratory laboratory;
  private final MemberNetwork network;
  private final int number;
  private final int port;
  private final int restPort;
  private final Path folder;
  private final Map<String, String> environment;
  private final Path configuration;
  private @Nullable Process patroni;

  /**
   * A member that is not started yet.
   *
   * @param environment what all members have in common
   */
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
    this.restPort = port + 1;
    this.folder = laboratory.newFolder(name());
    this.configuration = configuration;
    this.environment = environment;
    Account.give(laboratory, folder);
  }

  String name() {
    return "db" + (number + 1);
  }

  String host() {
    return network.address(number);
  }

  String address() {
    return host() + ":" + port;
  }

  int restPort() {
    return restPort;
  }

  void start() {
    List<String> command = new ArrayList<>(network.on(number));
    command.addAll(Account.command());
    command.addAll(List.of("patroni", configuration.toString()));
    Path log = folder.resolveSibling(folder.getFileName() + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    String rest = host() + ":" + restPort;
    builder
        .environment()
        .putAll(
            Map.of(
                "PATRONI_NAME", name(),
                "PATRONI_RESTAPI_LISTEN", rest,
                "PATRONI_RESTAPI_CONNECT_ADDRESS", rest,
                "PATRONI_POSTGRESQL_LISTEN", address(),
                "PATRONI_POSTGRESQL_CONNECT_ADDRESS", address(),
                "PATRONI_POSTGRESQL_DATA_DIR", data().toString(),
                "PATRONI_POSTGRESQL_PGPASS", folder.resolve("pgpass").toString(),
                "LC_ALL", "C.UTF-8"));
    patroni = laboratory.processes().start(builder);
  }

  private Path data() {
    return folder.resolve("data");
  }

  Answer ask(String path) {
    return HttpCalls.get(rest(path), PATIENCE);
  }

  String rest(String path) {
    return "http://%s:%d%s".formatted(host(), restPort, path);
  }

  boolean isPrimary() {
    return ask("/primary").status() == 200;
  }

  /** Kills PostgreSQL; Patroni stays. */
  void crash() {
    kill(postgres());
  }

  /** Kills Patroni and PostgreSQL, as when the machine dies. */
  void kill() {
    kill(everything());
  }

  private static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    processes.forEach(Processes::awaitEnd);
  }

  void freeze() {
    laboratory.processes().signal("STOP", everything());
  }

  void thaw() {
    laboratory.processes().signal("CONT", everything());
  }

  void cut() {
    network.cut(number);
  }

  void join() {
    network.join(number);
  }

  private List<ProcessHandle> everything() {
    List<ProcessHandle> all = new ArrayList<>();
    Process running = patroni;
    if (running != null) {
      all.addAll(Processes.family(running.toHandle()));
    }
    // it is no child of Patroni, so that it survives Patroni's end
    all.addAll(postgres());
    return all.stream().distinct().filter(ProcessHandle::isAlive).toList();
  }

  private List<ProcessHandle> postgres() {
    return postmaster().map(Processes::family).orElse(List.of());
  }

  private Optional<ProcessHandle> postmaster() {
    Path file = data().resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst().strip()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
