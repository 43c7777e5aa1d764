package io.stockroom.server.apidocs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

/**
 * An OpenAPI document, merged from hand-written YAML files. Tests compare it with the routes and
 * with every HTTP exchange, and generate clients from it.
 */
public enum ApiDocument {
  /** For integrators: the signed calls of a merchant's applications. */
  INTERFACE("/openapi.json"),

  /** For operators: the calls with the operator key. */
  OPERATOR("/docs/api/operator.json");

  private final String path;

  ApiDocument(String path) {
    this.path = path;
  }

  /** The path where the server serves it. */
  public String path() {
    return path;
  }

  /** The whole document as JSON. */
  public byte[] json() {
    Map<String, Object> whole = new LinkedHashMap<>();
    parts().forEach(part -> merge(whole, read(part), part));
    return new JsonMapper().writeValueAsBytes(whole);
  }

  /** One file for each concern. */
  private List<String> parts() {
    return switch (this) {
      case INTERFACE ->
          List.of(
              "common",
              "interface-info",
              "interface",
              "interface-schemas",
              "products",
              "products-schemas",
              "imports",
              "webhooks",
              "webhooks-schemas");
      case OPERATOR -> List.of("common", "admin-info", "admin", "admin-schemas", "admin-imports");
    };
  }

  private static Map<?, ?> read(String part) {
    String resource = "/openapi/" + part + ".yaml";
    try (InputStream stream =
        Objects.requireNonNull(ApiDocument.class.getResourceAsStream(resource), resource)) {
      LoaderOptions options = new LoaderOptions();
      options.setAllowDuplicateKeys(false);
      options.setMaxAliasesForCollections(1000);
      Object root = new Yaml(new SafeConstructor(options)).load(stream);
      return (Map<?, ?>) root;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Merges nested objects; a value that occurs in two files is an error. */
  private static void merge(Map<String, Object> into, Map<?, ?> from, String part) {
    from.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          Object present = into.get(name);
          if (present == null) {
            into.put(name, value instanceof Map<?, ?> map ? copy(map) : value);
          } else if (present instanceof Map<?, ?> known && value instanceof Map<?, ?> more) {
            Map<String, Object> joined = copy(known);
            merge(joined, more, part);
            into.put(name, joined);
          } else {
            throw new IllegalStateException(
                name + " is defined in " + part + ".yaml and in an earlier file");
          }
        });
  }

  private static Map<String, Object> copy(Map<?, ?> map) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    return copy;
  }
}
