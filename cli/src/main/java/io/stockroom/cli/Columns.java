package io.stockroom.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The columns of a table, or the lines of an object: titles, and the texts of their values. */
record Columns(List<Column> all) {
  record Column(String title, Function<JsonNode, String> text) {}

  /**
   * {@code "ID=merchantId, name, head=audit/head"}: titles with the field or path of their values.
   * A field alone is its own title. A dash stands for a missing value.
   */
  static Columns of(String fields) {
    return new Columns(List.of()).and(fields);
  }

  static Columns of(String title, Function<JsonNode, String> text) {
    return new Columns(List.of()).and(title, text);
  }

  Columns and(String fields) {
    Columns columns = this;
    for (String field : fields.split(", ")) {
      String name = field.substring(field.indexOf('=') + 1);
      columns =
          columns.and(
              field.replaceFirst("=.*", ""), object -> Output.text(object.at("/" + name), "-"));
    }
    return columns;
  }

  Columns and(String title, Function<JsonNode, String> text) {
    List<Column> more = new ArrayList<>(all);
    more.add(new Column(title, text));
    return new Columns(List.copyOf(more));
  }
}
