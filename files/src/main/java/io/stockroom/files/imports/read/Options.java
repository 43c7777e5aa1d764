package io.stockroom.files.imports.read;

import io.stockroom.protocol.Size;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes one color and one size of the options of a variant, such as Color, Size and Material. The
 * name of an option says what it is, otherwise its first value in the product; a mapping decides
 * before both. An option that is neither is the color, or joined to it: "Red / Cotton".
 */
final class Options {
  /** What joins the parts of a color. */
  static final String JOINED = " / ";

  private static final int MAX_NAMES = 100;
  private static final int MAX_EXAMPLES = 3;
  private static final List<String> COLORS =
      List.of("color", "colour", "颜色", "色", "kleur", "farbe", "couleur", "カラー");
  private static final List<String> SIZES =
      List.of("size", "length", "width", "尺码", "尺寸", "größe", "taille", "talla", "サイズ");

  /** Columns as the plan lists them: an option's name, its meaning, and its first values. */
  record Seen(String name, @Nullable Field field, Set<String> examples) {}

  private final Map<String, String> mapped;
  private final Map<String, Seen> seen = new LinkedHashMap<>();

  /** What the options of the present product are; without a field: ignored. */
  private final Map<String, Seen> roles = new HashMap<>();

  private final List<String> colors = new ArrayList<>();
  private final List<String> parts = new ArrayList<>();
  private final List<String> sizes = new ArrayList<>();

  Options(Map<String, String> mapped) {
    this.mapped = mapped;
  }

  /** Begins another product: its options may have other meanings. */
  void nextProduct() {
    roles.clear();
  }

  void nextVariant() {
    colors.clear();
    parts.clear();
    sizes.clear();
  }

  /** Adds an option of the variant. */
  void add(String name, String given) {
    String value = given.strip();
    if (value.isEmpty() || value.equalsIgnoreCase("Default Title")) {
      return;
    }
    Seen role = roles.computeIfAbsent(name.strip(), each -> role(each, value));
    if (role.examples.size() < MAX_EXAMPLES) {
      role.examples.add(FileProblem.shown(value));
    }
    if (role.field == Field.SIZE) {
      sizes.add(value);
    } else if (role.field == Field.COLOR) {
      colors.add(value);
    } else if (role.field == Field.COLOR_PART) {
      parts.add(value);
    }
  }

  /** The color of the variant; empty if it has none. */
  String color() {
    return Stream.concat(colors.stream(), parts.stream()).collect(Collectors.joining(JOINED));
  }

  /** The size of the variant; empty if it has none. */
  String size() {
    return String.join("/", sizes);
  }

  /** The options of the file, as columns of the plan. */
  List<Seen> seen() {
    return List.copyOf(seen.values());
  }

  /** Whether any product has an option of this name. */
  boolean has(String name) {
    return seen.values().stream().anyMatch(each -> Field.key(each.name).equals(Field.key(name)));
  }

  private Seen role(String name, String value) {
    String key = Field.key(name);
    Field field = field(key, value);
    Seen known = seen.get(key);
    if (known == null) {
      known = new Seen(name, field, new TreeSet<>());
      if (seen.size() < MAX_NAMES) {
        seen.put(key, known);
      }
    }
    return known.field == field ? known : new Seen(name, field, known.examples);
  }

  private @Nullable Field field(String key, String value) {
    String chosen = mapped.get(key);
    if (chosen != null) {
      Field field = Field.named(chosen);
      boolean variant = field == Field.SIZE || field == Field.COLOR || field == Field.COLOR_PART;
      return variant ? field : null;
    }
    Field named = named(key);
    if (named != null) {
      return named;
    }
    boolean free = roles.values().stream().noneMatch(role -> role.field == Field.SIZE);
    return free && Size.find(value).map(Size::isUsual).orElse(false)
        ? Field.SIZE
        : Field.COLOR_PART;
  }

  /** Whether the name of an option says that it is the color or the size; null if it does not. */
  static @Nullable Field named(String name) {
    String key = Field.key(name);
    Field field = Field.named(key);
    if (field == Field.COLOR || COLORS.stream().anyMatch(key::contains)) {
      return Field.COLOR;
    }
    boolean size = field == Field.SIZE || SIZES.stream().anyMatch(key::contains);
    return size ? Field.SIZE : null;
  }
}
