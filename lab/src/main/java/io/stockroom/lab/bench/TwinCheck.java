package io.stockroom.lab.bench;

import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares each twin with what the server sends, which PostgreSQL logs: a stale twin measures
 * something else.
 */
final class TwinCheck {
  /** Only for the driver; the server sends nothing like it. */
  private static final String OWN = "-- Only for the driver";

  /** What the server sends instead of the twin's statements. */
  private static final String SENT = "-->";

  private static final Pattern VARIABLE = Pattern.compile("(?<!:):([a-z_][a-z0-9_]*)");
  private static final Pattern ENTRY =
      Pattern.compile("^(\\S*)\\|(LOG|DETAIL):  (?:execute [^:]+: |statement: )?(.*)");

  /** A null parameter is logged as null. */
  private static final Pattern NULL = Pattern.compile("\\$([0-9]+) = NULL");

  /** Statements of other work than that of a call: of jobs, of the cache and of the heartbeat. */
  private static final Pattern BACKGROUND =
      Pattern.compile(
          "\\b(?:update|into|from) (?:import|node|request_log|traffic|webhook|cell"
              + "|log_head where merchant_id = any)\\b"
              + "|access_token|known_hash|product_summary|product_words|^select 1$");

  private final Server server;
  private final DirectSql sql;
  private final Wrk wrk;
  private final Path log;

  TwinCheck(Server server, Wrk wrk) {
    this.server = server;
    this.sql = server.sql();
    this.wrk = wrk;
    this.log = server.postgresLog();
  }

  /** Throws if a twin is not what the server sends. */
  void check(List<Operation> operations) throws IOException {
    List<Operation> single =
        operations.stream()
            .flatMap(each -> each.shares().stream())
            .map(Operation.Share::operation)
            .distinct()
            .toList();
    set("log_line_prefix = '%a|'", "log_statement = 'all'");
    // the server's connections read the setting a moment later, when they wake up
    Await.pause(Duration.ofMillis(300));
    try {
      for (Operation operation : single) {
        List<String> expected = expected(Files.readAllLines(Twin.file(operation)));
        long before = Files.size(log);
        var _ = wrk.checked(server.port(), operation, 1, 1);
        List<String> sent = sent(before);
        if (Collections.indexOfSubList(sent, expected) < 0) {
          throw new IllegalStateException(
              "The twin of \"%s\" differs from what the server sends. Update %s.%n  twin:%n%s%n  server:%n%s"
                  .formatted(
                      operation.title(),
                      Twin.file(operation),
                      String.join("\n", expected),
                      String.join(
                          "\n", sent.subList(0, Math.min(sent.size(), 2 * expected.size())))));
        }
      }
    } finally {
      set("log_line_prefix = default", "log_statement = default");
    }
  }

  private void set(String... settings) {
    for (String setting : settings) {
      sql.execute("alter system set " + setting);
    }
    sql.execute("select pg_reload_conf()");
  }

  /** The statements of a twin, or what the server sends instead, normalized. */
  static List<String> expected(List<String> lines) {
    List<String> own = new ArrayList<>();
    List<String> sent = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    boolean isOwn = false;
    for (String line : lines) {
      String text = line.strip();
      boolean isSent = text.startsWith(SENT);
      if (text.startsWith(OWN)) {
        isOwn = true;
      } else if (isSent
          || !(text.isEmpty() || text.startsWith("--") || text.startsWith("\\set "))) {
        statement.append(isSent ? text.substring(SENT.length()) : text).append(' ');
        if (text.endsWith(";") || text.endsWith("\\gset")) {
          String whole = statement.toString().replaceFirst("(?:;|\\\\gset) $", "");
          if (isSent) {
            sent.add(normalized(whole));
          } else if (!isOwn) {
            own.add(normalized(VARIABLE.matcher(whole).replaceAll("?")));
          }
          statement.setLength(0);
          isOwn = false;
        }
      }
    }
    return sent.isEmpty() ? own : sent;
  }

  private List<String> sent(long from) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    byte[] tail = Arrays.copyOfRange(bytes, (int) from, bytes.length);
    return statements(new String(tail, StandardCharsets.UTF_8).lines().toList());
  }

  /** The statements of calls in lines of PostgreSQL's log, normalized. */
  static List<String> statements(List<String> lines) {
    List<String> statements = new ArrayList<>();
    StringBuilder open = new StringBuilder();
    boolean isOurs = false;
    for (String line : lines) {
      Matcher entry = ENTRY.matcher(line);
      boolean begins = entry.matches();
      if (begins && entry.group(2).equals("DETAIL") && isOurs) {
        Matcher empty = NULL.matcher(entry.group(3));
        while (empty.find()) {
          String known =
              open.toString().replaceAll("\\$%s(?![0-9])".formatted(empty.group(1)), "null");
          open.setLength(0);
          open.append(known);
        }
        isOurs = false;
      } else if (begins) {
        statements.add(normalized(open.toString()));
        open.setLength(0);
        isOurs = entry.group(1).equals("stockroom") && entry.group(2).equals("LOG");
        open.append(isOurs ? entry.group(3) : "");
      } else if (isOurs) {
        open.append(' ').append(line);
      }
    }
    statements.add(normalized(open.toString()));
    statements.removeIf(each -> each.isEmpty() || BACKGROUND.matcher(each).find());
    return statements;
  }

  /** One space between words, none inside parentheses, a question mark for each parameter. */
  private static String normalized(String sql) {
    String single =
        sql.replaceAll("\\$[0-9]+", "?")
            .replaceAll("\\s+", " ")
            .replace("( ", "(")
            .replace(" )", ")")
            .strip();
    String lower = single.toLowerCase(Locale.ROOT);
    return lower.equals("begin") || lower.equals("commit") ? lower : single;
  }
}
