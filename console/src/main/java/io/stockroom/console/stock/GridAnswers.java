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

/** The JSON that the script of the grid reads. */
final class GridAnswers {
  private GridAnswers() {}

  static void send(HttpServletResponse response, int status, Answer answer, Language language)
      throws IOException {
    response.setStatus(status);
    response.setContentType("application/json; charset=utf-8");
    response.getOutputStream().write(answer.json(language));
  }

  /** The colors in their order and every entry: {@code [color, size, quantity, barcode]}. */
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

  /** Cells that somebody else changed, as they are now. */
  static Answer conflicts(List<Cell> present) {
    return (out, language) -> {
      out.writeStartObject();
      out.writeArrayPropertyStart("conflicts");
      present.forEach(cell -> cell(out, cell));
      out.writeEndArray();
      out.writeEndObject();
    };
  }

  /** Faults, each with the place {@code [n]} of its cell in the request. */
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
