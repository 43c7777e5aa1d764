package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.SizeRange;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The columns of a file and their meanings. */
public final class Columns {
  /** The column that a file of rejected rows adds. */
  public static final String REASON = "reason";

  private static final String CHINESE_REASON = "原因";

  private static final Pattern SIZES =
      Pattern.compile(
          "(?i)(?:size|eu|尺码|码数)?\\s*([0-9]+(?:\\s*[-~–—至到]\\s*[0-9]+|\\.[0-9]+)?"
              + "|m|(?:x*|[1-9]x)[sl])\\s*(?:码|号|#)?");
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[0-9]+,[0-9]+");

  /**
   * One column; field and sizes are both null if it is ignored.
   *
   * @param sizes in the wide layout, the sizes whose quantities it holds
   */
  public record Column(int index, String name, @Nullable Field field, @Nullable SizeRange sizes) {
    public @Nullable String meaning() {
      if (field != null) {
        return field.word();
      }
      if (sizes == null) {
        return null;
      }
      return sizes.text();
    }
  }

  private final List<Column> all;
  private final Map<Field, Column> byField = new EnumMap<>(Field.class);
  private final @Nullable Shop shop;
  private final Notes notes;

  private Columns(List<Column> all, @Nullable Shop shop, Notes notes) {
    this.all = all;
    this.shop = shop;
    this.notes = notes;
    for (Column column : all) {
      if (column.field != null) {
        byField.putIfAbsent(column.field, column);
      }
    }
  }

  /**
   * Reads the header.
   *
   * @param asked explicit mapping: column → field, or an empty text to ignore the column
   * @param remembered the same, from earlier imports of this merchant; absent columns do not matter
   */
  public static Columns of(
      List<String> names, Map<String, String> asked, Map<String, String> remembered)
      throws FileRejection {
    Map<String, String> wanted = keyed(remembered);
    Map<String, String> explicit = keyed(asked);
    wanted.putAll(explicit);
    List<Column> all = new ArrayList<>();
    // a file without a header has no columns of the sizes L, M and S
    boolean lettered = names.equals(letters(names.size()));
    Notes notes = new Notes();
    Shop shop = lettered ? null : Shop.of(names, wanted, notes);
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i).strip();
      String meaning = wanted.getOrDefault(Field.key(name), lettered ? "" : null);
      if (meaning != null) {
        all.add(mapped(i, name, meaning));
      } else if (shop != null && (shop.isUsed(i) || !shop.keepsOtherColumns())) {
        all.add(new Column(i, name, shop.meaning(i), null));
      } else {
        all.add(recognised(i, name));
      }
    }
    for (int i = 0; shop != null && i < shop.computed().size(); i++) {
      Field field = shop.computed().get(i);
      all.add(new Column(names.size() + i, field.word(), field, null));
    }
    Columns columns = new Columns(all, shop, notes);
    for (String column : asked.keySet()) {
      if (shop == null && !columns.has(column)) {
        throw FileRejection.of(ErrorCode.COLUMN_ABSENT, column, shown(names));
      }
    }
    settle(all, wanted, explicit);
    forgetWhatHasNoUse(all);
    return new Columns(all, shop, notes);
  }

  boolean has(String name) {
    return all.stream().anyMatch(known -> Field.key(known.name).equals(Field.key(name)));
  }

  /** The other system whose table this is; null if it is none. */
  @Nullable Shop shop() {
    return shop;
  }

  Notes notes() {
    return notes;
  }

  /** The columns of the file for display, without those that only hold options. */
  public Map<Column, @Nullable String> shown() {
    Map<Column, @Nullable String> shown = new LinkedHashMap<>();
    Shop of = shop;
    for (Column column : all) {
      if (of == null || column.index < of.width()) {
        Field read = of == null ? null : of.readFor(column.index);
        String meaning = column.meaning() == null && read != null ? read.word() : column.meaning();
        if (meaning != null || of == null || !of.isUsed(column.index)) {
          shown.put(column, meaning);
        }
      }
    }
    return shown;
  }

  /** The names of columns without a header: A, B, …, Z, AA, … */
  static List<String> letters(int count) {
    List<String> letters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder letter = new StringBuilder();
      for (int rest = i; rest >= 0; rest = rest / 26 - 1) {
        letter.insert(0, (char) ('A' + rest % 26));
      }
      letters.add(letter.toString());
    }
    return letters;
  }

  /** The name of the reason column in this language. */
  public static String reason(Language language) {
    return switch (language) {
      case ENGLISH -> REASON;
      case CHINESE -> CHINESE_REASON;
    };
  }

  public static boolean isReason(String name) {
    return name.equalsIgnoreCase(REASON) || name.equals(CHINESE_REASON);
  }

  /** The meaning of each name on its own, to show a header that cannot be used. */
  public static List<Column> each(
      List<String> names, Map<String, String> asked, Map<String, String> remembered) {
    Map<String, String> wanted = keyed(remembered);
    wanted.putAll(keyed(asked));
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String meaning = wanted.get(Field.key(name));
      SizeRange sizes = sizes(name);
      columns.add(
          meaning == null
              ? new Column(i, name, sizes == null ? Field.named(name) : null, sizes)
              : mapped(i, name, meaning));
    }
    return columns;
  }

  /** What is wrong with a mapping; null if it is valid. */
  public static @Nullable FileProblem check(String field) {
    boolean known =
        field.isEmpty()
            || field.equals("-")
            || Field.NAMES.stream().anyMatch(name -> Field.key(name).equals(Field.key(field)))
            || sizes(field) != null;
    return known
        ? null
        : FileProblem.of(
            0, "", field, ErrorCode.COLUMN_FIELD, field, String.join(", ", Field.NAMES));
  }

  /** How many names are known: used to choose the delimiter and encoding of a header. */
  static int recognised(List<String> names) {
    return (int)
        names.stream().filter(name -> Field.named(name) != null || sizes(name) != null).count();
  }

  public boolean has(Field field) {
    return byField.containsKey(field);
  }

  /** The first column of a field; null if there is none. */
  public @Nullable Column column(Field field) {
    return byField.get(field);
  }

  public boolean wide() {
    return all.stream().anyMatch(column -> column.sizes != null);
  }

  public List<Column> all() {
    return all;
  }

  public int size() {
    return all.size();
  }

  /** The columns that are ignored. */
  List<Column> ignored() {
    return all.stream()
        .filter(column -> column.meaning() == null && !column.name.isEmpty())
        .filter(column -> !isReason(column.name) && (shop == null || !shop.isUsed(column.index)))
        .toList();
  }

  public String name(Field field) {
    Column column = byField.get(field);
    return column == null ? field.word() : column.name;
  }

  public void require(Field field, List<String> names) throws FileRejection {
    if (!has(field)) {
      throw FileRejection.of(ErrorCode.COLUMN_MISSING, field.word(), shown(names));
    }
  }

  /**
   * Resolves columns with the same meaning: an explicit mapping wins, otherwise the file is
   * rejected.
   */
  private static void settle(
      List<Column> all, Map<String, String> wanted, Map<String, String> explicit)
      throws FileRejection {
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
      if (meaning == null || column.field == Field.IMGS || column.field == Field.COLOR_PART) {
        continue;
      }
      Column other = first.putIfAbsent(meaning, column);
      if (other != null) {
        throw FileRejection.of(ErrorCode.COLUMN_REPEATED, other.name, column.name, meaning);
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

  /** Without quantities, sizes and barcodes are ignored, because they make no stock entry. */
  private static void forgetWhatHasNoUse(List<Column> all) {
    boolean quantities = all.stream().anyMatch(column -> column.field == Field.QUANTITY);
    all.replaceAll(
        column ->
            !quantities && (column.field == Field.SIZE || column.field == Field.BAR_CODE)
                ? new Column(column.index, column.name, null, null)
                : column);
  }

  private static Column recognised(int index, String name) throws FileRejection {
    if (DECIMAL_COMMA.matcher(name).matches()) {
      throw new FileRejection(FileProblem.of(1, name, name, ErrorCode.SIZE_FORMAT, name));
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
      return FieldTexts.sizes(matcher.group(1));
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
