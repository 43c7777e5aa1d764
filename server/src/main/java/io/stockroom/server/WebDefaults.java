package io.stockroom.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * Reads the settings of Spring Boot that operators do not change. Spring Boot's own search for
 * configuration files would add an eighth of a second to every start.
 */
final class WebDefaults {
  private WebDefaults() {}

  /** A new map, for the settings of one server. */
  static Map<String, Object> read() {
    Properties defaults = new Properties();
    try (InputStream file = WebDefaults.class.getResourceAsStream("/web.properties")) {
      defaults.load(Objects.requireNonNull(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, Object> read = new HashMap<>();
    defaults.forEach((name, value) -> read.put(String.valueOf(name), value));
    return read;
  }
}
