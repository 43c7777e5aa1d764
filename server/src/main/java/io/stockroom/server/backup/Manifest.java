package io.stockroom.server.backup;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The manifest of a backup, or of the part of it that is the database of a cell.
 *
 * @param format the version of the file layout: 2 if there are cells in databases of their own
 * @param cell the cell that this is the database of; null for the directory's database
 * @param schemaVersion the version of the database schema
 * @param takenAt the time of the snapshot, by the database's clock
 * @param tables in insert order: referenced tables first
 * @param cells the databases of cells, if this is the directory of a marketplace with several
 */
public record Manifest(
    int format,
    @Nullable String cell,
    String schemaVersion,
    String takenAt,
    List<Table> tables,
    List<Sequence> sequences,
    List<Manifest> cells) {
  static final int ONE_DATABASE = 1;
  static final int CELLS = 2;

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
    // absent in a backup of an earlier version
    cells = cells == null ? List.of() : List.copyOf(cells);
  }

  /** Each database: this one, and those of the cells. */
  public Stream<Manifest> parts() {
    return Stream.concat(Stream.of(this), cells.stream());
  }

  /** The rows of all databases. */
  public long rows() {
    return parts().flatMap(part -> part.tables.stream()).mapToLong(Table::rows).sum();
  }

  Manifest withTables(List<Table> all) {
    return new Manifest(format, cell, schemaVersion, takenAt, all, sequences, cells);
  }

  Manifest withSequences(List<Sequence> all) {
    return new Manifest(format, cell, schemaVersion, takenAt, tables, all, cells);
  }

  Manifest withCells(List<Manifest> all) {
    return new Manifest(format, cell, schemaVersion, takenAt, tables, sequences, all);
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
