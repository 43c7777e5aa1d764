package io.stockroom.core.settings;

import io.stockroom.protocol.Spelling;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Gathers settings from {@code stockroom.yaml}, the environment and {@code --set}, later ones
 * beating earlier ones, and finds every problem before the start.
 */
public final class SettingsReader {
  /** Variables of the launcher and the command line, which are not settings of the server. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of(
          "DATA",
          "SERVER",
          "ADMINSERVER",
          "CELLPASSWORD",
          "JAVAOPTIONS",
          "DEBUG",
          "APPID",
          "SECRET",
          "TOKEN",
          "HOME");

  /** The source of what was given on the command line. */
  static final String ARGUMENT = "--set";

  private final Map<String, Settings.Origin> origins = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  private final Consumer<String> warnings;

  private SettingsReader(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  /**
   * Reads {@code stockroom.yaml} of {@code folder}, if it is there, then the other sources. The
   * file and {@code --set} are the operator's own words, so an unknown name in them is a problem.
   * Others put variables into the environment, too: an unknown one is only a warning.
   */
  public static Settings read(
      Path folder,
      Map<String, String> environment,
      Map<String, String> set,
      Consumer<String> warnings) {
    SettingsReader reader = new SettingsReader(warnings);
    Path file = folder.resolve("stockroom.yaml");
    if (Files.exists(file)) {
      reader.readFile(file);
    }
    return reader.finish(environment, set);
  }

  /** All defaults, with these by name on top. */
  static Settings read(Map<String, String> set) {
    return new SettingsReader(_ -> {}).finish(Map.of(), set);
  }

  private Settings finish(Map<String, String> environment, Map<String, String> set) {
    environment.forEach(this::takeVariable);
    set.forEach((name, value) -> take(name, value, ARGUMENT));
    Map<String, Object> values = new LinkedHashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      Settings.Origin origin = origins.get(setting.name());
      Object value = parse(setting, origin);
      if (value != null) {
        values.put(setting.name(), value);
      }
    }
    Settings settings = new Settings(origins, values);
    if (problems.isEmpty()) {
      problems.addAll(MailSettings.problems(settings));
      problems.addAll(PictureSettings.problems(settings));
    }
    if (!problems.isEmpty()) {
      throw new BadSettings(problems);
    }
    return settings;
  }

  private @Nullable Object parse(Setting<?> setting, Settings.@Nullable Origin origin) {
    String text = origin == null ? setting.standard() : origin.text();
    try {
      return setting.parse().apply(text);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException impossible) {
      problems.add(
          "%s (%s) is \"%s\": it must be %s."
              .formatted(
                  setting.name(),
                  origin == null ? "default" : origin.source(),
                  setting.secret() ? "…" : text,
                  setting.expected()));
      return null;
    }
  }

  private void take(String name, String value, String source) {
    for (Setting<?> setting : Settings.ALL) {
      if (setting.name().equals(name)) {
        origins.put(name, new Settings.Origin(value, source));
        return;
      }
    }
    problems.add(
        "%s (%s) is not a setting; the nearest is %s.".formatted(name, source, nearest(name)));
  }

  /** Underscores between words are welcome: DETAILPERDAY and DETAIL_PER_DAY are the same. */
  private void takeVariable(String variable, String value) {
    if (!variable.startsWith("STOCKROOM_") || ServiceLinks.isOne(variable, value)) {
      return;
    }
    String letters = variable.substring("STOCKROOM_".length()).replace("_", "");
    if (OTHER_VARIABLES.contains(letters)) {
      return;
    }
    for (Setting<?> setting : Settings.ALL) {
      String own = setting.variable().substring("STOCKROOM_".length()).replace("_", "");
      if (own.equals(letters)) {
        origins.put(setting.name(), new Settings.Origin(value, variable));
        return;
      }
    }
    String nearest = nearest(letters.toLowerCase(Locale.ROOT));
    warnings.accept(
        "%s (environment) is not a setting and is ignored; the nearest is %s."
            .formatted(
                variable,
                Settings.ALL.stream()
                    .filter(setting -> setting.name().equals(nearest))
                    .findFirst()
                    .orElseThrow()
                    .variable()));
  }

  private void readFile(Path file) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try (Reader reader = Files.newBufferedReader(file)) {
      Object root = new Yaml(new SafeConstructor(options)).load(reader);
      if (root instanceof Map<?, ?> map) {
        flatten("", map);
      } else if (root != null) {
        problems.add(file + " must hold names and values, such as: page-size: 50");
      }
    } catch (YAMLException broken) {
      problems.add(file + " is not readable as YAML: " + broken.getMessage());
    } catch (IOException unreadable) {
      problems.add(file + " cannot be read: " + unreadable.getMessage());
    }
  }

  private void flatten(String prefix, Map<?, ?> map) {
    map.forEach(
        (key, value) -> {
          String name = prefix + key;
          if (value instanceof Map<?, ?> inner) {
            flatten(name + ".", inner);
          } else {
            take(name, value == null ? "" : value.toString(), "stockroom.yaml");
          }
        });
  }

  private static String nearest(String name) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (Setting<?> setting : Settings.ALL) {
      String own = setting.name();
      int distance = Spelling.distance(letters(name), letters(own));
      if (distance < least) {
        least = distance;
        best = own;
      }
    }
    return best;
  }

  private static String letters(String name) {
    return name.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT);
  }
}
