package io.stockroom.core.database;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;

/**
 * The sides of the schema that a database has, each with its version. As text, {@code 2.5} is
 * directory 2 and cell 5 in one database; {@code cell 5} is a database with this side only.
 */
public record SchemaVersion(Map<Schema, String> sides) {
  public SchemaVersion {
    sides = Map.copyOf(sides);
  }

  /** The version of the database's tables; without sides if it has none of ours. */
  public static SchemaVersion of(Database database) throws SQLException {
    Map<Schema, String> sides = new EnumMap<>(Schema.class);
    for (Schema schema : Schema.values()) {
      String version = schema.version(database);
      if (version != null) {
        sides.put(schema, version);
      }
    }
    return new SchemaVersion(sides);
  }

  /** Reads the text of a version; without sides if it is not one. */
  public static SchemaVersion parse(String text) {
    for (Schema schema : Schema.values()) {
      String prefix = prefix(schema);
      if (text.startsWith(prefix)) {
        return new SchemaVersion(Map.of(schema, text.substring(prefix.length())));
      }
    }
    String[] parts = text.split("\\.", 2);
    return new SchemaVersion(
        parts.length < 2 ? Map.of() : Map.of(Schema.DIRECTORY, parts[0], Schema.CELL, parts[1]));
  }

  /** The versions that this program can make, the oldest first. */
  public static List<String> known(Database database, SchemaVersion like) {
    if (like.sides.size() == 1) {
      Schema schema = like.sides.keySet().iterator().next();
      return versions(database, schema).map(version -> prefix(schema) + version).toList();
    }
    return versions(database, Schema.DIRECTORY)
        .flatMap(directory -> versions(database, Schema.CELL).map(cell -> directory + "." + cell))
        .toList();
  }

  private static String prefix(Schema schema) {
    return schema.side() + " ";
  }

  private static Stream<String> versions(Database database, Schema schema) {
    return Arrays.stream(schema.flyway(database.dataSource()).load().info().all())
        .filter(migration -> migration.getState().isResolved() && migration.isVersioned())
        .map(MigrationInfo::getVersion)
        .sorted()
        .map(MigrationVersion::getVersion);
  }

  static boolean isNewer(String version, String than) {
    return MigrationVersion.fromVersion(version).isNewerThan(than);
  }

  /** Whether a side is newer than the same side of the other, or the other does not have it. */
  public boolean exceeds(SchemaVersion other) {
    return sides.entrySet().stream()
        .anyMatch(
            side -> {
              String than = other.sides.get(side.getKey());
              return than == null || isNewer(side.getValue(), than);
            });
  }

  /** Creates the tables, or migrates them, up to exactly this version. */
  public void make(Database database) {
    for (Schema schema : Schema.values()) {
      String version = sides.get(schema);
      if (version != null) {
        schema.migrate(schema.flyway(database.dataSource()), MigrationVersion.fromVersion(version));
      }
    }
  }

  @Override
  public String toString() {
    return sides.size() == 1
        ? sides.entrySet().stream()
            .map(side -> prefix(side.getKey()) + side.getValue())
            .collect(Collectors.joining())
        : Arrays.stream(Schema.values())
            .map(schema -> sides.getOrDefault(schema, ""))
            .collect(Collectors.joining("."));
  }
}
