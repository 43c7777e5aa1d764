package io.stockroom.console.stock;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.call.Json;
import io.stockroom.core.catalogue.LowStock;
import io.stockroom.core.stock.CellChange;
import io.stockroom.core.stock.StockGrid;
import io.stockroom.core.stock.StockGrid.Outcome;
import io.stockroom.core.stock.StockHistory;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The stock grid of a product, its saving and its history. */
@Controller
@Allow(Role.MERCHANT)
public final class StockPages {
  private final StockGrid grids;
  private final StockHistory history;
  private final StockPlot plot;
  private final LowStock low;
  private final MessageSource messages;

  public StockPages(
      StockGrid grids, StockHistory history, StockPlot plot, LowStock low, MessageSource messages) {
    this.low = low;
    this.grids = grids;
    this.history = history;
    this.plot = plot;
    this.messages = messages;
  }

  @GetMapping("/products/{id}/stock")
  String show(@RequestAttribute ConsoleRequest visit, @PathVariable int id, Model model)
      throws SQLException {
    // read first: what comes after it is shown later, at worst a second time
    long number = history.newest(visit.merchantId(), id);
    StockGrid.Grid grid = grid(visit, id);
    model.addAttribute("id", id);
    model.addAttribute("number", number);
    model.addAttribute("lowBelow", low.of(visit.merchantId(), id).below());
    model.addAttribute("grid", grid);
    model.addAttribute(
        "offered",
        grids.offered(visit.merchantId(), id).stream()
            .map(Size::text)
            .collect(Collectors.joining(", ")));
    model.addAttribute(
        "json", Json.text((out, _) -> GridResponses.grid(out, grid, visit), visit.language()));
    model.addAttribute("words", GridMessages.json(messages, visit.language()));
    return "stock";
  }

  @PostMapping("/products/{id}/stock")
  void save(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      HttpServletRequest request,
      HttpServletResponse response)
      throws SQLException, IOException {
    byte[] body = request.getInputStream().readNBytes(RequestContent.MAX_BYTES + 1);
    List<CellChange> changes;
    try {
      changes = GridSave.read(body);
    } catch (InvalidRequest invalid) {
      refuse(response, invalid.problems(), visit);
      return;
    }
    Outcome outcome = grids.save(visit.merchantId(), id, changes, visit.actor());
    answer(visit, id, changes, outcome, response);
  }

  /**
   * What others changed; 204 if nothing did.
   *
   * @param after the last change that the page knows
   */
  @GetMapping("/products/{id}/stock/live")
  void live(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam long after,
      HttpServletResponse response)
      throws SQLException, IOException {
    List<StockHistory.Batch> batches = history.since(visit.merchantId(), id, after);
    if (batches.isEmpty()) {
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      return;
    }
    GridResponses.send(
        response, 200, GridResponses.changed(batches, grid(visit, id), visit), visit.language());
  }

  /** Reads sizes such as {@code 36-44} or {@code S M L}, or says what is wrong with them. */
  @GetMapping("/stock/sizes")
  void sizes(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam String range,
      HttpServletResponse response)
      throws IOException {
    try {
      List<Size> sizes = TypedSizes.read(range);
      GridResponses.send(
          response,
          200,
          (out, _) -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("sizes");
            sizes.forEach(size -> GridResponses.size(out, size));
            out.writeEndArray();
            out.writeEndObject();
          },
          visit.language());
    } catch (InvalidValue invalid) {
      refuse(response, List.of(invalid.at("range")), visit);
    }
  }

  /**
   * @param before shows batches older than this one; 0 for the newest
   */
  @GetMapping("/products/{id}/stock/history")
  String batches(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "0") long before,
      Model model)
      throws SQLException {
    grid(visit, id);
    List<StockHistory.Batch> found =
        new ArrayList<>(history.batches(visit.merchantId(), id, before));
    boolean more = found.size() > StockHistory.PAGE;
    if (more) {
      found.removeLast();
    }
    model.addAttribute("batches", found);
    model.addAttribute("more", more ? found.getLast().id() : null);
    model.addAttribute("entry", false);
    model.addAttribute("stock", before == 0 ? plot.of(visit, id) : null);
    return "stock-history :: batches";
  }

  @GetMapping("/products/{id}/stock/history/entry")
  String entry(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam String color,
      @RequestParam String size,
      Model model)
      throws SQLException {
    grid(visit, id);
    model.addAttribute("batches", history.entry(visit.merchantId(), id, color, size(size)));
    model.addAttribute("entry", true);
    return "stock-history :: batches";
  }

  /**
   * @param others what to do with cells changed since: {@code ask}, {@code leave} or {@code
   *     overwrite}
   * @param color with {@code size}, the only entry to undo; null for the whole change
   */
  @PostMapping("/products/{id}/stock/history/{change}/undo")
  void undo(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @PathVariable long change,
      @RequestParam(defaultValue = "ask") String others,
      @RequestParam(required = false) @Nullable String color,
      @RequestParam(required = false) @Nullable String size,
      HttpServletResponse response)
      throws SQLException, IOException {
    StockGrid.Others choice =
        switch (others) {
          case "leave" -> StockGrid.Others.LEAVE;
          case "overwrite" -> StockGrid.Others.OVERWRITE;
          default -> StockGrid.Others.ASK;
        };
    StockGrid.Only only =
        color == null || size == null ? null : new StockGrid.Only(color, size(size));
    Outcome outcome = grids.undo(visit.merchantId(), id, change, only, choice, visit.actor());
    answer(visit, id, List.of(), outcome, response);
  }

  private static Size size(String text) {
    return Size.find(text).orElseThrow(PageException::missing);
  }

  private void answer(
      ConsoleRequest visit,
      int id,
      List<CellChange> changes,
      Outcome outcome,
      HttpServletResponse response)
      throws SQLException, IOException {
    switch (outcome) {
      case Outcome.Missing() -> throw PageException.missing();
      case Outcome.Conflicting(var present) ->
          GridResponses.send(response, 409, GridResponses.conflicts(present), visit.language());
      case Outcome.Rejected(var problems) ->
          refuse(
              response,
              problems.stream().map(problem -> atItsCell(problem, changes)).toList(),
              visit);
      case Outcome.Saved(var cells) ->
          GridResponses.send(
              response,
              200,
              GridResponses.saved(cells, number(visit, id), grid(visit, id), visit),
              visit.language());
    }
  }

  /**
   * A duplicate barcode is reported by product, color and size; the page needs the index of the
   * cell.
   */
  private static Problem atItsCell(Problem problem, List<CellChange> changes) {
    if (problem.code() == ErrorCode.BARCODE_USED) {
      Object color = problem.arguments().get(2);
      Object size = problem.arguments().get(3);
      for (int i = 0; i < changes.size(); i++) {
        if (color.equals(changes.get(i).color()) && size.equals(changes.get(i).size())) {
          return new Problem("[" + i + "].barcode", problem.code(), problem.arguments());
        }
      }
    }
    return problem;
  }

  private static void refuse(
      HttpServletResponse response, List<Problem> problems, ConsoleRequest visit)
      throws IOException {
    GridResponses.send(response, 422, GridResponses.problems(problems), visit.language());
  }

  private long number(ConsoleRequest visit, int id) throws SQLException {
    return history.newest(visit.merchantId(), id);
  }

  private StockGrid.Grid grid(ConsoleRequest visit, int id) throws SQLException {
    StockGrid.Grid grid = grids.read(visit.merchantId(), id);
    if (grid == null) {
      throw PageException.missing();
    }
    return grid;
  }
}
