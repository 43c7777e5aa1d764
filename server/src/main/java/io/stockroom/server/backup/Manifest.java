package io.stockroom.server.backup;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The manifest of a backup.
 *
 * @param format the version of the file layout
 * @param schemaVersion the version of the database schema
 * @param takenAt the time of the snapshot, by the database's clock
 * @param tables in insert order: referenced tables first
 */
public record Manifest(
    int format,
    String schemaVersion,
    String takenAt,
    List<Table> tables,
    List<Sequence> sequences) {
  static final int FORMAT = 1;

  private static final JsonMapper JSON = new JsonMapper();

  /** One table, with the checksum of its rows in {@code copy} format. */
  public record Table(String name, List<String> columns, long rows, long bytes, String sha256) {
    public Table {
      Objects.requireNonNull(name);
      columns = List.copyOf(columns);
      Objects.requireNonNull(sha256);
    }
  }

  /** The state of a sequence: its last number, and whether that number is used. */
  public record Sequence(String name, long value, boolean used) {
    public Sequence {
      Objects.requireNonNull(name);
    }
  }

  public Manifest {
    Objects.requireNonNull(schemaVersion);
    Objects.requireNonNull(takenAt);
    tables = List.copyOf(tables);
    sequences = List.copyOf(sequences);
  }

  public long rows() {
    return tables.stream().mapToLong(Table::rows).sum();
  }

  byte[] json() {
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
  }

  static Manifest read(InputStream json) throws IOException {
    try {
      return JSON.readValue(json.readAllBytes(), Manifest.class);
    } catch (JacksonException e) {
      throw new IOException("its table of contents is not valid", e);
    }
  }
}
