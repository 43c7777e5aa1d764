package io.stockroom.console.operator;

import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Settings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One effective limit.
 *
 * @param value the configured value
 * @param source where it is configured: {@code default}, a file, a variable, the command line
 * @param own the merchant's own value; null if it uses the configured one
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
