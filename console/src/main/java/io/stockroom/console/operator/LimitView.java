package io.stockroom.console.operator;

import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Settings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One limit as it holds.
 *
 * @param value what the settings say
 * @param source where they say it: {@code default}, a file, a variable, the command line
 * @param own what was set for one merchant instead; null: nothing
 */
public record LimitView(
    String name,
    String value,
    String source,
    String standard,
    String variable,
    String expected,
    @Nullable String own) {

  static List<LimitView> all(Settings settings, Map<String, String> overrides) {
    return Limits.SETTINGS.stream()
        .map(
            setting ->
                new LimitView(
                    setting.name(),
                    settings.origin(setting).text(),
                    settings.origin(setting).source(),
                    setting.standard(),
                    setting.variable(),
                    setting.expected(),
                    overrides.get(setting.name())))
        .toList();
  }

  public boolean isDefault() {
    return source.equals("default");
  }
}
