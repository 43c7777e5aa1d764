package io.stockroom.console.stock;

import io.stockroom.core.call.Answer;
import io.stockroom.core.stock.Cell;
import io.stockroom.core.stock.StockGrid;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Writes the JSON for the grid's script. */
final class GridResponses {
  private GridResponses() {}

  static void send(HttpServletResponse response, int status, Answer answer, Language language)
      throws IOException {
    response.setStatus(status);
    response.setContentType("application/json; charset=utf-8");
    response.getOutputStream().write(answer.json(language));
  }

  /** The colors in display order, and every entry as {@code [color, size, quantity, barcode]}. */
  static void grid(JsonGenerator out, StockGrid.Grid grid) {
    out.writeStartObject();
    out.writeArrayPropertyStart("colors");
    grid.colors().forEach(out::writeString);
    out.writeEndArray();
    out.writeArrayPropertyStart("cells");
    grid.cells().forEach(cell -> cell(out, cell));
    out.writeEndArray();
    out.writeEndObject();
  }

  static Answer saved(int cells, StockGrid.Grid grid) {
    return (out, language) -> {
      out.writeStartObject();
      out.writeNumberProperty("saved", cells);
      out.writeName("grid");
      grid(out, grid);
      out.writeEndObject();
    };
  }

  /** The current values of cells that someone else changed. */
  static Answer conflicts(List<Cell> present) {
    return (out, language) -> {
      out.writeStartObject();
      out.writeArrayPropertyStart("conflicts");
      present.forEach(cell -> cell(out, cell));
      out.writeEndArray();
      out.writeEndObject();
    };
  }

  /** Problems, each with the index {@code [n]} of its cell in the request. */
  static Answer problems(List<Problem> problems) {
    return (out, language) -> {
      out.writeStartObject();
      out.writeArrayPropertyStart("problems");
      for (Problem problem : problems) {
        out.writeStartObject();
        out.writeStringProperty("at", problem.at());
        out.writeStringProperty("text", problem.message(language));
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    };
  }

  private static void cell(JsonGenerator out, Cell cell) {
    out.writeStartArray();
    out.writeString(cell.color());
    out.writeNumber(cell.size());
    if (cell.quantity() == null) {
      out.writeNull();
    } else {
      out.writeNumber(cell.quantity());
    }
    if (cell.barCode() == null) {
      out.writeNull();
    } else {
      out.writeString(cell.barCode());
    }
    out.writeEndArray();
  }
}
