package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes PostgreSQL log the statements that the server sends. */
final class StatementLog implements AutoCloseable {
  private static final Pattern ENTRY =
      Pattern.compile("^(\\S*) ([^|]*)\\|(LOG|DETAIL):  (?:execute [^:]+: |statement: )?(.*)");

  /** Statements of background work, and those of the barrier before an answer is stored. */
  private static final Pattern BACKGROUND =
      Pattern.compile(
          "\\b(?:update|into|from) (?:import|node|request_log|traffic|webhook"
              + "|log_head where merchant_id = any)\\b");

  /** A null parameter is logged as null. */
  private static final Pattern NULL = Pattern.compile("(\\$[0-9]+) = NULL");

  private static final Duration PAUSE = Duration.ofMillis(300);

  private final Connection connection;
  private final Path log;

  private StatementLog(Connection connection, Path log) {
    this.connection = connection;
    this.log = log;
  }

  static StatementLog begin(Connection connection, Path log) throws SQLException {
    StatementLog begun = new StatementLog(connection, log);
    // the program and the transaction
    begun.set("log_line_prefix = '%a %v|'", "log_statement = 'all'");
    // the server's connections read the setting a moment later, when they wake up
    LockSupport.parkNanos(PAUSE.toNanos());
    return begun;
  }

  long size() throws IOException {
    return Files.size(log);
  }

  /** The statements the server has sent since the log had this size, normalized. */
  List<String> since(long from) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    byte[] tail = Arrays.copyOfRange(bytes, (int) Math.min(from, bytes.length), bytes.length);
    return read(new String(tail, StandardCharsets.UTF_8).lines().toList());
  }

  private record Sent(String transaction, String statement) {}

  static List<String> read(List<String> lines) {
    List<Sent> all = statements(lines);
    Set<String> background =
        all.stream()
            .filter(sent -> BACKGROUND.matcher(sent.statement).find())
            .map(Sent::transaction)
            .collect(Collectors.toSet());
    return all.stream()
        .filter(sent -> !background.contains(sent.transaction))
        .map(Sent::statement)
        .toList();
  }

  private static List<Sent> statements(List<String> lines) {
    List<Sent> statements = new ArrayList<>();
    StringBuilder open = new StringBuilder();
    String transaction = "";
    boolean ours = false;
    for (String line : lines) {
      Matcher entry = ENTRY.matcher(line);
      if (!entry.matches()) {
        if (ours) {
          open.append('\n').append(line.strip());
        }
        continue;
      }
      if (ours && entry.group(3).equals("DETAIL")) {
        for (Matcher empty = NULL.matcher(entry.group(4)); empty.find(); ) {
          String name = Pattern.quote(empty.group(1)) + "(?![0-9])";
          String known = open.toString().replaceAll(name, "null");
          open.setLength(0);
          open.append(known);
        }
        add(transaction, open, statements);
        ours = false;
      } else {
        add(transaction, open, statements);
        transaction = entry.group(2);
        ours = entry.group(1).equals("stockroom") && entry.group(3).equals("LOG");
        open.append(ours ? entry.group(4) : "");
      }
    }
    add(transaction, open, statements);
    return statements;
  }

  private static void add(String transaction, StringBuilder open, List<Sent> statements) {
    if (!open.isEmpty()) {
      statements.add(new Sent(transaction, Script.comparable(open.toString())));
    }
    open.setLength(0);
  }

  @Override
  public void close() throws SQLException {
    set("log_line_prefix = default", "log_statement = default");
  }

  private void set(String... settings) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String setting : settings) {
        statement.execute("alter system set " + setting);
      }
      statement.execute("select pg_reload_conf()");
    }
  }
}
