package io.stockroom.server.testing;

import io.stockroom.core.database.Sql;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The SQL texts of the program: every string literal, and every constant composed of several. */
public final class SqlInSources {
  private static final Pattern TEXT_BLOCK = Pattern.compile("\"\"\"\n(.*?)\"\"\"", Pattern.DOTALL);
  private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\\n]++|\\\\.)*+)\"");

  private static final Pattern TABLES =
      Pattern.compile(
          "\\b(?:from|join|into|update|table|using|truncate|analyze|vacuum|copy)\\s+"
              + "(\\w+(?:\\s+\\w+){0,2}(?:,\\s*\\w+(?:\\s+\\w+){0,2})*)");

  private static final Pattern SEQUENCE = Pattern.compile("nextval\\('(\\w+)'");

  /**
   * A text.
   *
   * @param where the file or the constant
   */
  public record Found(String where, String text) {
    /** Which of these tables and sequences the text uses. */
    public Set<String> names(Set<String> known) {
      Set<String> names = new HashSet<>();
      Matcher tables = TABLES.matcher(text);
      for (int from = 0; tables.find(from); from = tables.start(1)) {
        for (String table : tables.group(1).split(",\\s*")) {
          names.add(table.split("\\s")[0]);
        }
      }
      Matcher sequences = SEQUENCE.matcher(text);
      while (sequences.find()) {
        names.add(sequences.group(1));
      }
      names.retainAll(known);
      return names;
    }

    public boolean isInAny(String... packages) {
      return Stream.of(packages).anyMatch(each -> where.startsWith("io.stockroom.core." + each));
    }
  }

  private SqlInSources() {}

  public static List<Found> all() throws IOException, ReflectiveOperationException {
    List<Found> found = new ArrayList<>();
    for (Path file : MainSources.files(".java")) {
      String source = Files.readString(file);
      String name = file.toString().replaceFirst(".*src/main/java/", "");
      name = name.replace(".java", "").replace('/', '.');
      literals(name, source, found);
      if (source.contains("Sql.of(")) {
        constants(name, found);
      }
    }
    return found;
  }

  private static void literals(String name, String source, List<Found> found) {
    Matcher blocks = TEXT_BLOCK.matcher(source);
    while (blocks.find()) {
      found.add(new Found(name, blocks.group(1)));
    }
    Matcher strings = STRING.matcher(blocks.replaceAll(""));
    while (strings.find()) {
      found.add(new Found(name, strings.group(1)));
    }
  }

  private static void constants(String name, List<Found> found)
      throws ReflectiveOperationException {
    for (Field field : Class.forName(name).getDeclaredFields()) {
      if (field.getType() == Sql.class && field.trySetAccessible()) {
        found.add(new Found(name + "." + field.getName(), String.valueOf(field.get(null))));
      }
    }
  }
}
