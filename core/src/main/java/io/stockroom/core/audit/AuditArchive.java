package io.stockroom.core.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Sha256;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Old entries of the audit log in a file: JSON Lines, in the order of each chain. The head of a
 * chain keeps the number and the hash of the last entry that was archived, so the file and the rest
 * of the log prove each other. Needs the owner of the tables: the server cannot delete entries.
 */
public final class AuditArchive {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int MAX_AT_ONCE = 5_000;

  /** The last archived entry of a chain. */
  public record End(int merchantId, long number, String hash) {}

  /** A line of a file that does not follow from the lines before it. */
  public static final class Broken extends Exception {
    private static final long serialVersionUID = 1;

    Broken(String message) {
      super(message);
    }
  }

  private record Entry(
      int merchantId,
      long number,
      long micros,
      String actor,
      String action,
      String subject,
      String details,
      String address,
      @Nullable Long firstChange,
      @Nullable Long lastChange,
      String hash) {
    private static Entry read(ResultSet row) throws SQLException {
      return new Entry(
          row.getInt("merchant_id"),
          row.getLong("number"),
          row.getLong("micros"),
          row.getString("actor"),
          row.getString("action"),
          row.getString("subject"),
          row.getString("details"),
          row.getString("address"),
          row.getObject("first_change", Long.class),
          row.getObject("last_change", Long.class),
          HexFormat.of().formatHex(row.getBytes("hash")));
    }

    private static Entry parse(String line) {
      JsonNode json = JSON.readTree(line);
      Instant at = Instant.parse(json.required("at").asString());
      return new Entry(
          json.required("merchantId").asInt(),
          json.required("number").asLong(),
          at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000,
          json.required("actor").asString(),
          json.required("action").asString(),
          json.required("subject").asString(),
          json.required("details").asString(),
          json.required("address").asString(),
          json.has("firstChange") ? (Long) json.get("firstChange").asLong() : null,
          json.has("lastChange") ? (Long) json.get("lastChange").asLong() : null,
          json.required("hash").asString());
    }

    private String line() {
      ObjectNode json =
          JSON.createObjectNode()
              .put("merchantId", merchantId)
              .put("number", number)
              .put(
                  "at",
                  Instant.ofEpochSecond(
                          Math.floorDiv(micros, 1_000_000L),
                          Math.floorMod(micros, 1_000_000L) * 1_000L)
                      .toString())
              .put("actor", actor)
              .put("action", action)
              .put("subject", subject)
              .put("details", details)
              .put("address", address);
      if (firstChange != null) {
        json.put("firstChange", firstChange);
      }
      if (lastChange != null) {
        json.put("lastChange", lastChange);
      }
      return json.put("hash", hash) + "\n";
    }

    /** As {@link Audit#TEXT}. */
    private boolean follows(String hashBefore) {
      StringBuilder text = new StringBuilder();
      text.append(merchantId).append('\u001f').append(number).append('\u001f').append(micros);
      for (String part : List.of(actor, action, subject, details, address)) {
        text.append('\u001f').append(part);
      }
      if (firstChange != null) {
        text.append('\u001f').append(firstChange);
      }
      if (lastChange != null) {
        text.append('\u001f').append(lastChange);
      }
      MessageDigest sha256 = Sha256.digest();
      sha256.update(HexFormat.of().parseHex(hashBefore));
      sha256.update(text.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(sha256.digest()).equals(hash);
    }
  }

  private static final Sql CHAINS =
      Sql.of(
          """
          select merchant_id, archived_number, encode(archived_hash, 'hex') as hash from log_head
          where merchant_id <> all (%s) order by merchant_id
          """
              .formatted(AbsentMerchants.ARRAY));

  /** The last entry of a chain stays, and what the log of changes refers to. */
  private static final Sql OLD =
      Sql.of(
          """
          select merchant_id, number, (extract(epoch from at) * 1000000)::bigint as micros, actor,
            action, subject, details, address, first_change, last_change, hash
          from audit
          where merchant_id = :merchantId and number > :after and at < :before
            and number < (select number from log_head where merchant_id = :merchantId)
            and number < coalesce((
              select batch from change_log where merchant_id = :merchantId order by number limit 1
            ), :noBatch)
          order by number limit :limit
          """);

  private static final Sql MOVE_END =
      Sql.of(
          """
          update log_head set archived_number = :number, archived_hash = decode(:hash, 'hex')
          where merchant_id = :merchantId and archived_number = :after
          """);

  private static final Sql DELETE =
      Sql.of("delete from audit where merchant_id = :merchantId and number <= :number");

  private AuditArchive() {}

  /**
   * Appends the old entries of a cell to the file, which is on disk before they are deleted.
   *
   * @return how many entries were archived
   */
  public static long write(Database cell, Instant before, FileChannel file)
      throws SQLException, IOException, Broken {
    long archived = 0;
    for (End chain :
        cell.read(
            connection ->
                CHAINS
                    .on(connection)
                    .list(
                        row ->
                            new End(
                                row.getInt("merchant_id"),
                                row.getLong("archived_number"),
                                row.getString("hash"))))) {
      End end = chain;
      List<Entry> entries;
      do {
        entries = old(cell, end, before);
        if (!entries.isEmpty()) {
          end = write(cell, end, entries, file);
          archived += entries.size();
        }
      } while (entries.size() == MAX_AT_ONCE);
    }
    return archived;
  }

  private static List<Entry> old(Database cell, End end, Instant before) throws SQLException {
    return cell.read(
        connection ->
            OLD.on(connection)
                .set("merchantId", end.merchantId)
                .set("after", end.number)
                .set("before", before)
                .set("noBatch", Long.MAX_VALUE)
                .set("limit", MAX_AT_ONCE)
                .list(Entry::read));
  }

  private static End write(Database cell, End begin, List<Entry> entries, FileChannel file)
      throws SQLException, IOException, Broken {
    StringBuilder lines = new StringBuilder();
    End end = begin;
    for (Entry entry : entries) {
      end = next(end, entry);
      lines.append(entry.line());
    }
    ByteBuffer bytes = UTF_8.encode(lines.toString());
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    file.force(true);
    End archived = end;
    return cell.write(
        connection -> {
          int moved =
              MOVE_END
                  .on(connection)
                  .set("merchantId", archived.merchantId)
                  .set("after", begin.number)
                  .set("number", archived.number)
                  .set("hash", archived.hash)
                  .update();
          if (moved != 1) {
            throw new SQLException("another command archives the audit log at the same time");
          }
          DELETE
              .on(connection)
              .set("merchantId", archived.merchantId)
              .set("number", archived.number)
              .update();
          return archived;
        });
  }

  private static End next(End end, Entry entry) throws Broken {
    if (entry.number != end.number + 1 || !entry.follows(end.hash)) {
      throw new Broken(
          "entry %d of chain %d does not follow from the entries before it"
              .formatted(entry.number, entry.merchantId));
    }
    return new End(entry.merchantId, entry.number, entry.hash);
  }

  /**
   * Checks archives against the log.
   *
   * @param files all archives, oldest first
   * @param expected where the chains of the log begin
   * @return how many entries the archives have
   */
  public static long verify(List<Path> files, List<End> expected) throws IOException, Broken {
    Map<Integer, End> ends = new HashMap<>();
    Map<Integer, End> left = new HashMap<>();
    expected.forEach(end -> left.put(end.merchantId, end));
    long entries = 0;
    for (Path file : files) {
      try (BufferedReader lines = Files.newBufferedReader(file, UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Entry entry = parse(file, line);
          End end = ends.getOrDefault(entry.merchantId, new End(entry.merchantId, 0, ""));
          End reached = next(end, entry);
          ends.put(entry.merchantId, reached);
          left.remove(entry.merchantId, reached);
          entries++;
        }
      }
    }
    if (!left.isEmpty()) {
      End missing = left.values().iterator().next();
      throw new Broken(
          "the archives do not have entry %d of chain %d, which the log follows from"
              .formatted(missing.number, missing.merchantId));
    }
    return entries;
  }

  private static Entry parse(Path file, String line) throws Broken {
    try {
      return Entry.parse(line);
    } catch (JacksonException | IllegalArgumentException | java.time.DateTimeException other) {
      throw new Broken(file + " has a line that is no entry of an audit log");
    }
  }
}
