package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.HttpCalls;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Three PostgreSQL under Patroni with an etcd, and HAProxy in front of the primary and of the
 * nodes, with the configuration that ships in {@code packaging/patroni}.
 */
final class PatroniCluster {
  private static final int MEMBERS = 3;
  private static final String USER = "stockroom";

  /** No database runs as root. */
  private static final String ACCOUNT = "postgres";

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String BINARIES = "/usr/lib/postgresql";

  /** Bytes that a standby may be behind while nothing is written. */
  private static final long MAX_LAG = 100_000;

  private final Laboratory laboratory;
  private final MemberNetwork network;
  private final Path configuration = Laboratory.home().resolve("packaging/patroni");
  private final String password;
  private final int databasePort;
  private final List<PatroniMember> members = new ArrayList<>();

  /** Starts it. */
  PatroniCluster(Laboratory laboratory) throws IOException {
    this.laboratory = laboratory;
    this.password = laboratory.secretKey();
    this.network = new MemberNetwork(laboratory, MEMBERS);
    this.databasePort = laboratory.newPort();
    startMembers(startEtcd());
    Await.until(PATIENCE, "the first primary", this::hasPrimary);
    awaitComplete();
    String url = DirectSql.url(primary().address()).replace("/stockroom?", "/postgres?");
    new DirectSql(url, "postgres", password)
        .execute(
            "create role %s login password '%s'".formatted(USER, password),
            "create database %1$s owner %1$s".formatted(USER));
  }

  /** The beginning of a command of Debian's account for PostgreSQL. */
  static List<String> asPostgres() {
    return Laboratory.isRoot()
        ? List.of("setpriv", "--reuid=" + ACCOUNT, "--regid=" + ACCOUNT, "--clear-groups")
        : List.of();
  }

  /** A folder that this account may write to. */
  static Path folderOfPostgres(Laboratory laboratory, String name) {
    Path folder = laboratory.newFolder(name);
    if (Laboratory.isRoot()) {
      var _ = laboratory.processes().run("chown", ACCOUNT + ":" + ACCOUNT, folder.toString());
    }
    return folder;
  }

  /** Returns its address. */
  private String startEtcd() throws IOException {
    Files.setPosixFilePermissions(
        laboratory.folder(), PosixFilePermissions.fromString("rwx--x--x"));
    int port = laboratory.newPort();
    Path data = folderOfPostgres(laboratory, "etcd").resolve("data");
    Map<String, String> environment = variables("etcd.env");
    String client = "http://%s:%d".formatted(network.hub(), port);
    String peer = "http://127.0.0.1:" + (port + 1);
    environment.put("ETCD_DATA_DIR", data.toString());
    environment.put("ETCD_LISTEN_CLIENT_URLS", client);
    environment.put("ETCD_ADVERTISE_CLIENT_URLS", client);
    environment.put("ETCD_LISTEN_PEER_URLS", peer);
    environment.put("ETCD_INITIAL_ADVERTISE_PEER_URLS", peer);
    environment.put("ETCD_INITIAL_CLUSTER", environment.get("ETCD_NAME") + "=" + peer);
    // Debian's version runs on arm64 only if it is told to
    environment.put("ETCD_UNSUPPORTED_ARCH", "arm64");
    List<String> command = new ArrayList<>(asPostgres());
    command.add("etcd");
    launch(command, environment, "etcd.log");
    Await.until(PATIENCE, "etcd", () -> HttpCalls.get(client + "/health").status() == 200);
    return network.hub() + ":" + port;
  }

  private void startMembers(String etcd) throws IOException {
    Map<String, String> environment = variables("patroni.env");
    environment.put("PATRONI_ETCD_HOSTS", etcd);
    environment.put("PATRONI_POSTGRESQL_BIN_DIR", binaries().toString());
    environment.put("PATRONI_SUPERUSER_PASSWORD", password);
    environment.put("PATRONI_REPLICATION_PASSWORD", password);
    environment.put("PATRONI_RESTAPI_PASSWORD", password);
    Path copy = laboratory.folder().resolve("patroni.yml");
    Files.copy(configuration.resolve("patroni.yml"), copy);
    for (int i = 0; i < MEMBERS; i++) {
      members.add(new PatroniMember(laboratory, network, i, copy, environment));
    }
    members.forEach(PatroniMember::start);
  }

  /** The newest PostgreSQL of Debian that is installed; the embedded one lacks pg_rewind. */
  private static Path binaries() throws IOException {
    try (Stream<Path> versions = Files.list(Path.of(BINARIES))) {
      return versions
          .filter(version -> Files.isExecutable(version.resolve("bin/pg_rewind")))
          .max(Comparator.comparing(version -> Integer.valueOf(version.toFile().getName())))
          .orElseThrow(() -> new IOException("there is no PostgreSQL in " + BINARIES))
          .resolve("bin");
    }
  }

  private Map<String, String> variables(String file) throws IOException {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String line : Files.readAllLines(configuration.resolve(file))) {
      int equals = line.indexOf('=');
      if (!line.startsWith("#") && equals > 0) {
        variables.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return variables;
  }

  /** Starts two nodes and HAProxy; returns the URL of the nodes. */
  String startNodes() {
    int port = laboratory.newPort();
    List<Server> nodes =
        List.of(Server.outside(laboratory, sql()), Server.outside(laboratory, sql()));
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("DATABASE_BIND", "127.0.0.1:" + databasePort);
    environment.put("NODES_BIND", "127.0.0.1:" + port);
    environment.put("ADMIN_BIND", "127.0.0.1:" + (port + 1));
    for (int i = 1; i <= MEMBERS; i++) {
      environment.put("DB" + i, members.get(i - 1).address());
      environment.put("DB%d_CHECK".formatted(i), "" + members.get(i - 1).restPort());
    }
    for (int i = 1; i <= nodes.size(); i++) {
      int node = nodes.get(i - 1).port();
      environment.put("NODE" + i, "127.0.0.1:" + node);
      environment.put("NODE%d_ADMIN".formatted(i), "127.0.0.1:" + (node + 1));
    }
    String file = configuration.resolve("haproxy.cfg").toString();
    launch(List.of("haproxy", "-db", "-f", file), environment, "haproxy.log");
    Await.until(PATIENCE, "the database behind HAProxy", sql()::answers);
    nodes.forEach(Server::start);
    String url = "http://127.0.0.1:" + port;
    Await.until(PATIENCE, "the nodes", () -> HttpCalls.get(url + "/").status() == 404);
    return url;
  }

  private void launch(List<String> command, Map<String, String> environment, String log) {
    var _ = laboratory.processes().start(command, environment, laboratory.folder().resolve(log));
  }

  boolean canCut() {
    return network.isIsolated();
  }

  boolean hasPrimary() {
    return members.stream().anyMatch(PatroniMember::isPrimary);
  }

  PatroniMember primary() {
    return members.stream()
        .filter(PatroniMember::isPrimary)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no member is the primary"));
  }

  /** Waits until one member is the primary and all others follow it closely. */
  void awaitComplete() {
    Await.until(PATIENCE, "all members, see " + laboratory.folder(), this::isComplete);
  }

  private boolean isComplete() {
    Answer answer = hasPrimary() ? primary().ask("/cluster") : members.getFirst().ask("/");
    if (answer.status() != 200) {
      return false;
    }
    int following = 0;
    int synchronousStandbys = 0;
    for (JsonNode row : answer.json().path("members")) {
      String role = row.path("role").asString("");
      boolean works = List.of("running", "streaming").contains(row.path("state").asString(""));
      boolean close = row.path("lag").isNumber() && row.path("lag").asLong() < MAX_LAG;
      following += works && (role.equals("leader") || close) ? 1 : 0;
      synchronousStandbys += role.equals("sync_standby") ? 1 : 0;
    }
    return following == MEMBERS && synchronousStandbys > 0;
  }

  /** The primary through HAProxy. */
  DirectSql sql() {
    return DirectSql.local(databasePort, USER, password);
  }
}
