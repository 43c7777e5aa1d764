package io.stockroom.console.stock;

import io.stockroom.console.products.PicturePages;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.call.Answer;
import io.stockroom.core.stock.Cell;
import io.stockroom.core.stock.StockGrid;
import io.stockroom.core.stock.StockHistory;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
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

  /**
   * The colors in display order with their pictures, and every entry as {@code [color, size,
   * quantity, barcode]}.
   */
  static void grid(JsonGenerator out, StockGrid.Grid grid, ConsoleRequest visit) {
    out.writeStartObject();
    out.writeArrayPropertyStart("colors");
    grid.colors().forEach(out::writeString);
    out.writeEndArray();
    out.writeObjectPropertyStart("pictures");
    grid.pictures()
        .forEach(
            (color, address) -> {
              out.writeObjectPropertyStart(color);
              PicturePages.picture(out, address, visit);
              out.writeEndObject();
            });
    out.writeEndObject();
    out.writeArrayPropertyStart("sizes");
    grid.sizes().forEach(size -> size(out, size));
    out.writeEndArray();
    out.writeArrayPropertyStart("cells");
    grid.cells().forEach(cell -> cell(out, cell));
    out.writeEndArray();
    out.writeEndObject();
  }

  /** A size as {@code [text, rank]}: the page sorts by the rank. */
  static void size(JsonGenerator out, Size size) {
    out.writeStartArray();
    out.writeString(size.text());
    out.writeString(size.rank());
    out.writeEndArray();
  }

  /** What others changed, and the grid as it is now. */
  static Answer changed(
      List<StockHistory.Batch> batches, StockGrid.Grid grid, ConsoleRequest visit) {
    return (out, language) -> {
      out.writeStartObject();
      out.writeNumberProperty("number", batches.getFirst().id());
      out.writeArrayPropertyStart("batches");
      for (StockHistory.Batch batch : batches.reversed()) {
        out.writeStartObject();
        out.writeStringProperty("actor", batch.who().name());
        out.writeStringProperty("time", visit.second(batch.at()));
        out.writeArrayPropertyStart("cells");
        for (StockHistory.Line line : batch.lines()) {
          out.writeStartArray();
          out.writeString(line.color());
          out.writeString(line.size().text());
          out.writeEndArray();
        }
        out.writeEndArray();
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeName("grid");
      grid(out, grid, visit);
      out.writeEndObject();
    };
  }

  /**
   * @param number the newest change of the product
   */
  static Answer saved(int cells, long number, StockGrid.Grid grid, ConsoleRequest visit) {
    return (out, language) -> {
      out.writeStartObject();
      out.writeNumberProperty("saved", cells);
      out.writeNumberProperty("number", number);
      out.writeName("grid");
      grid(out, grid, visit);
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
    out.writeString(cell.size().text());
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
