package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.SizeRange;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The columns of a file, and what each of them means. */
final class Columns {
  /** The column that a file of rejected rows has beside those of the original. */
  static final String REASON = "reason";

  private static final String CHINESE_REASON = "原因";

  private static final Pattern SIZES =
      Pattern.compile(
          "(?i)(?:size|eu|尺码|码数)?\\s*([0-9]+(?:\\s*[-~–—至到]\\s*[0-9]+)?)\\s*(?:码|号|#)?");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+[.,][0-9]+");

  /**
   * One column; where it means nothing, field and sizes are both null.
   *
   * @param sizes in the wide shape, the sizes whose quantities stand in it
   */
  record Column(int index, String name, @Nullable Field field, @Nullable SizeRange sizes) {
    @Nullable String meaning() {
      if (field != null) {
        return field.word();
      }
      if (sizes == null) {
        return null;
      }
      return sizes.count() == 1 ? "" + sizes.first() : sizes.first() + "-" + sizes.last();
    }
  }

  private final List<Column> all;
  private final Map<Field, Column> byField = new EnumMap<>(Field.class);

  private Columns(List<Column> all) {
    this.all = all;
    for (Column column : all) {
      if (column.field != null) {
        byField.putIfAbsent(column.field, column);
      }
    }
  }

  /**
   * Reads the header.
   *
   * @param asked what the sender said: column → field, or an empty text to ignore it
   * @param remembered the same, from earlier imports of this merchant; what is not there is nothing
   */
  static Columns of(List<String> names, Map<String, String> asked, Map<String, String> remembered)
      throws FileRefused {
    Map<String, String> wanted = keyed(remembered);
    Map<String, String> explicit = keyed(asked);
    wanted.putAll(explicit);
    List<Column> all = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i).strip();
      String meaning = wanted.get(Field.key(name));
      all.add(meaning == null ? recognised(i, name) : mapped(i, name, meaning));
    }
    for (String column : asked.keySet()) {
      if (all.stream().noneMatch(known -> Field.key(known.name).equals(Field.key(column)))) {
        throw FileRefused.of(ErrorCode.COLUMN_ABSENT, column, shown(names));
      }
    }
    settle(all, wanted, explicit);
    forgetWhatHasNoUse(all);
    return new Columns(all);
  }

  /** The name of that column for those who read the language. */
  static String reason(Language language) {
    return switch (language) {
      case ENGLISH -> REASON;
      case CHINESE -> CHINESE_REASON;
    };
  }

  static boolean isReason(String name) {
    return name.equalsIgnoreCase(REASON) || name.equals(CHINESE_REASON);
  }

  /** What each name would mean by itself: for a header by which a file cannot be read. */
  static List<ImportReport.SourceColumn> each(
      List<String> names, Map<String, String> asked, Map<String, String> remembered) {
    Map<String, String> wanted = keyed(remembered);
    wanted.putAll(keyed(asked));
    List<ImportReport.SourceColumn> columns = new ArrayList<>();
    for (String name : names) {
      String meaning = wanted.get(Field.key(name));
      SizeRange sizes = sizes(name);
      Column column =
          meaning == null
              ? new Column(0, name, sizes == null ? Field.named(name) : null, sizes)
              : mapped(0, name, meaning);
      columns.add(new ImportReport.SourceColumn(name, column.meaning()));
    }
    return columns;
  }

  /** Says why a mapping cannot be, or null where it can. */
  static @Nullable Fault check(String field) {
    boolean known =
        field.isEmpty()
            || field.equals("-")
            || Field.NAMES.stream().anyMatch(name -> Field.key(name).equals(Field.key(field)))
            || sizes(field) != null;
    return known
        ? null
        : Fault.of(0, "", field, ErrorCode.COLUMN_FIELD, field, String.join(", ", Field.NAMES));
  }

  /** How many of these names mean something to us: a measure of how a header is to be read. */
  static int recognised(List<String> names) {
    return (int)
        names.stream().filter(name -> Field.named(name) != null || sizes(name) != null).count();
  }

  boolean has(Field field) {
    return byField.containsKey(field);
  }

  /** The column of a field, the first where there are several; null where there is none. */
  @Nullable Column column(Field field) {
    return byField.get(field);
  }

  boolean wide() {
    return all.stream().anyMatch(column -> column.sizes != null);
  }

  List<Column> all() {
    return all;
  }

  int size() {
    return all.size();
  }

  /** The names of columns that are not read, for those who look for them. */
  List<String> ignored() {
    return all.stream()
        .filter(column -> column.meaning() == null)
        .map(Column::name)
        .filter(name -> !name.isEmpty() && !isReason(name))
        .toList();
  }

  String name(Field field) {
    Column column = byField.get(field);
    return column == null ? field.word() : column.name;
  }

  void require(Field field, List<String> names) throws FileRefused {
    if (!has(field)) {
      throw FileRefused.of(ErrorCode.COLUMN_MISSING, field.word(), shown(names));
    }
  }

  /** Two columns that mean the same: what was asked for wins; else somebody has to choose. */
  private static void settle(
      List<Column> all, Map<String, String> wanted, Map<String, String> explicit)
      throws FileRefused {
    for (Map<String, String> chosen : List.of(explicit, wanted)) {
      for (Column column : List.copyOf(all)) {
        if (column.meaning() != null && chosen.containsKey(Field.key(column.name))) {
          forgetOthers(all, column, chosen);
        }
      }
    }
    Map<String, Column> first = new HashMap<>();
    for (Column column : all) {
      String meaning = column.meaning();
      if (meaning == null || column.field == Field.IMGS) {
        continue;
      }
      Column other = first.putIfAbsent(meaning, column);
      if (other != null) {
        throw FileRefused.of(ErrorCode.COLUMN_REPEATED, other.name, column.name, meaning);
      }
    }
  }

  private static void forgetOthers(List<Column> all, Column winner, Map<String, String> chosen) {
    all.replaceAll(
        column -> {
          boolean same =
              column.index != winner.index
                  && Objects.equals(column.meaning(), winner.meaning())
                  && !chosen.containsKey(Field.key(column.name));
          return same ? new Column(column.index, column.name, null, null) : column;
        });
  }

  /** A size or a barcode without a quantity beside it names no entry. */
  private static void forgetWhatHasNoUse(List<Column> all) {
    boolean quantities = all.stream().anyMatch(column -> column.field == Field.QUANTITY);
    all.replaceAll(
        column ->
            !quantities && (column.field == Field.SIZE || column.field == Field.BAR_CODE)
                ? new Column(column.index, column.name, null, null)
                : column);
  }

  private static Column recognised(int index, String name) throws FileRefused {
    if (NUMBER.matcher(name).matches()) {
      throw new FileRefused(Fault.of(1, name, name, ErrorCode.SIZE_FORMAT, name));
    }
    SizeRange sizes = sizes(name);
    return new Column(index, name, sizes == null ? Field.named(name) : null, sizes);
  }

  private static Column mapped(int index, String name, String meaning) {
    if (meaning.isEmpty() || meaning.equals("-")) {
      return new Column(index, name, null, null);
    }
    SizeRange sizes = sizes(meaning);
    return new Column(index, name, sizes == null ? Field.named(meaning) : null, sizes);
  }

  private static @Nullable SizeRange sizes(String name) {
    Matcher matcher = SIZES.matcher(name.strip());
    if (!matcher.matches()) {
      return null;
    }
    try {
      return SizeRange.parse(matcher.group(1).replaceAll("\\s+", "").replaceAll("[~–—至到]", "-"));
    } catch (InvalidValue noSize) {
      return null;
    }
  }

  private static Map<String, String> keyed(Map<String, String> map) {
    Map<String, String> keyed = new HashMap<>();
    map.forEach((column, field) -> keyed.put(Field.key(column), field.strip()));
    return keyed;
  }

  private static String shown(List<String> names) {
    return String.join(", ", names);
  }
}
