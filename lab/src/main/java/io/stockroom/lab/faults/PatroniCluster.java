package io.stockroom.lab.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Three PostgreSQL under Patroni with an etcd, and HAProxy in front of the primary and of the
 * nodes, with the configuration that ships in {@code packaging/patroni}.
 */
final class PatroniCluster {
  static final int MEMBERS = 3;
  static final String USER = "stockroom";

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final JsonMapper JSON = new JsonMapper();
  private static final String BINARIES = "/usr/lib/postgresql";

  /** Bytes that a standby may be behind while nothing is written. */
  private static final long MAX_LAG = 100_000;

  private final Laboratory laboratory;
  private final MemberNetwork network;
  private final Path configuration;
  private final boolean synchronous;
  private final String password;
  private final int databasePort;
  private final List<PatroniMember> members = new ArrayList<>();

  private PatroniCluster(Laboratory laboratory, Path configuration, boolean synchronous) {
    this.laboratory = laboratory;
    this.configuration = configuration;
    this.synchronous = synchronous;
    this.password = laboratory.secretKey();
    this.network = MemberNetwork.make(laboratory, MEMBERS);
    this.databasePort = laboratory.newPort();
  }

  static PatroniCluster start(Laboratory laboratory, Path configuration, boolean synchronous)
      throws IOException, SQLException {
    PatroniCluster cluster = new PatroniCluster(laboratory, configuration, synchronous);
    cluster.startMembers(cluster.startEtcd());
    Await.until(PATIENCE, "the first primary", cluster::hasPrimary);
    if (!synchronous) {
      cluster.becomeAsynchronous();
    }
    cluster.awaitComplete();
    cluster.createDatabase();
    return cluster;
  }

  /** Returns its address. */
  private String startEtcd() throws IOException {
    int port = laboratory.newPort();
    Path folder = laboratory.newFolder("etcd");
    Account.give(laboratory, folder);
    Map<String, String> environment = variables("etcd.env");
    String client = "http://%s:%d".formatted(network.hub(), port);
    String peer = "http://127.0.0.1:" + (port + 1);
    environment.put("ETCD_DATA_DIR", folder.resolve("data").toString());
    environment.put("ETCD_LISTEN_CLIENT_URLS", client);
    environment.put("ETCD_ADVERTISE_CLIENT_URLS", client);
    environment.put("ETCD_LISTEN_PEER_URLS", peer);
    environment.put("ETCD_INITIAL_ADVERTISE_PEER_URLS", peer);
    environment.put("ETCD_INITIAL_CLUSTER", environment.get("ETCD_NAME") + "=" + peer);
    // Debian's version runs on arm64 only if it is told to
    environment.put("ETCD_UNSUPPORTED_ARCH", "arm64");
    List<String> command = new ArrayList<>(Account.command());
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
      PatroniMember member = new PatroniMember(laboratory, network, i, copy, environment);
      members.add(member);
      member.start();
    }
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

  /** The control: Patroni may promote a standby that lacks confirmed changes. */
  private void becomeAsynchronous() {
    String change =
        """
        {"synchronous_mode": false, "synchronous_mode_strict": false,
         "maximum_lag_on_failover": 1000000000}
        """;
    Answer answer = HttpCalls.patch(primary().rest("/config"), "patroni", password, change);
    if (answer.status() != 200) {
      throw new IllegalStateException("Patroni did not accept the settings: " + answer);
    }
  }

  private void createDatabase() throws SQLException {
    try (Connection connection = connect(primary().address(), "postgres", "postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("create role %s login password '%s'".formatted(USER, password));
      statement.execute("create database %1$s owner %1$s".formatted(USER));
    }
  }

  /** Starts two nodes and HAProxy; returns the URL of the nodes. */
  String startNodes() {
    int port = laboratory.newPort();
    String url = Postgres.url("127.0.0.1:" + databasePort);
    List<Server> nodes = new ArrayList<>();
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("DATABASE_BIND", "127.0.0.1:" + databasePort);
    environment.put("NODES_BIND", "127.0.0.1:" + port);
    environment.put("ADMIN_BIND", "127.0.0.1:" + (port + 1));
    for (int i = 0; i < MEMBERS; i++) {
      environment.put("DB" + (i + 1), members.get(i).address());
      environment.put("DB%d_CHECK".formatted(i + 1), Integer.toString(members.get(i).restPort()));
    }
    for (int i = 1; i <= 2; i++) {
      Server node = Server.outside(laboratory, "node" + i, url, USER, password);
      nodes.add(node);
      environment.put("NODE" + i, "127.0.0.1:" + node.port());
      environment.put("NODE%d_ADMIN".formatted(i), "127.0.0.1:" + node.adminPort());
    }
    String file = configuration.resolve("haproxy.cfg").toString();
    launch(List.of("haproxy", "-db", "-f", file), environment, "haproxy.log");
    Await.untilSeldom(PATIENCE, "the database behind HAProxy", this::isReachable);
    nodes.forEach(Server::start);
    String nodesUrl = "http://127.0.0.1:" + port;
    Await.until(
        PATIENCE, "the nodes behind HAProxy", () -> HttpCalls.get(nodesUrl + "/").status() == 404);
    return nodesUrl;
  }

  private void launch(List<String> command, Map<String, String> environment, String log) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(laboratory.folder().resolve(log).toFile());
    builder.environment().putAll(environment);
    laboratory.processes().start(builder);
  }

  private boolean isReachable() {
    try (Connection connection = connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
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
    for (PatroniMember member : members) {
      Answer answer = member.ask("/cluster");
      if (answer.status() != 200) {
        return false;
      }
      if (member.isPrimary()) {
        return isComplete(JSON.readTree(answer.text()).get("members"));
      }
    }
    return false;
  }

  private boolean isComplete(JsonNode rows) {
    int following = 0;
    int synchronousStandbys = 0;
    for (JsonNode row : rows) {
      String role = row.path("role").asString("");
      boolean works = List.of("running", "streaming").contains(row.path("state").asString(""));
      boolean close = row.path("lag").isNumber() && row.path("lag").asLong() < MAX_LAG;
      following += works && (role.equals("leader") || close) ? 1 : 0;
      synchronousStandbys += role.equals("sync_standby") ? 1 : 0;
    }
    return following == MEMBERS && (!synchronous || synchronousStandbys > 0);
  }

  /** A connection to the primary through HAProxy. */
  Connection connect() throws SQLException {
    return connect("127.0.0.1:" + databasePort, USER, USER);
  }

  private Connection connect(String address, String user, String database) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("connectTimeout", "2");
    properties.setProperty("loginTimeout", "5");
    return DriverManager.getConnection(
        "jdbc:postgresql://%s/%s?sslmode=disable".formatted(address, database), properties);
  }

  /** Freezes the processes of the primary that send its changes to the standbys. */
  void holdReplication() throws SQLException {
    List<ProcessHandle> senders = new ArrayList<>();
    try (Connection connection = connect(primary().address(), "postgres", "postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select pid from pg_stat_replication")) {
      while (rows.next()) {
        ProcessHandle.of(rows.getLong(1)).ifPresent(senders::add);
      }
    }
    laboratory.processes().signal("STOP", senders);
  }
}
