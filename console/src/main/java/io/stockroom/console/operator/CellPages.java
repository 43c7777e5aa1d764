package io.stockroom.console.operator;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.merchants.CellDirectory;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.moves.MerchantMoves;
import io.stockroom.core.moves.Move;
import io.stockroom.core.moves.MoveRejection;
import io.stockroom.core.moves.MoveText;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The cells, and moves of merchants between them. */
@Controller
@Allow(Role.OPERATOR)
public final class CellPages {
  /** The messages {@code cells.done.…}. */
  private static final Set<String> DONE = Set.of("draining", "active", "cancelled");

  private static final double KIBIBYTE = 1 << 10;
  private static final double MEBIBYTE = 1 << 20;

  /**
   * A move for display.
   *
   * @param message in the person's language
   */
  public record Shown(Move move, String merchant, String message) {}

  private final CellDirectory cells;
  private final MerchantMoves moves;
  private final MerchantDirectory merchants;
  private final MerchantDetails details;

  public CellPages(
      CellDirectory cells,
      MerchantMoves moves,
      MerchantDirectory merchants,
      MerchantDetails details) {
    this.cells = cells;
    this.moves = moves;
    this.merchants = merchants;
    this.details = details;
  }

  /**
   * The page, or for htmx only the part that changes.
   *
   * @param done what was just done
   */
  @GetMapping("/cells")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String done,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    response.setHeader("Vary", "HX-Request");
    model.addAttribute("done", DONE.contains(done) ? done : null);
    return page(visit, model);
  }

  /**
   * @param to empty for the cells with the fewest merchants
   */
  @PostMapping("/cells/drain")
  String drain(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String cell,
      @RequestParam(defaultValue = "") String to,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    try {
      moves.drain(cell, to.isEmpty() ? null : to, visit.actor());
      return "redirect:/console/cells?done=draining";
    } catch (MoveRejection rejection) {
      model.addAttribute("cell", cell);
      model.addAttribute("to", to);
      explain(visit, "drain", rejection, response, model);
      return page(visit, model);
    }
  }

  @PostMapping("/cells/{cell}/activate")
  String activate(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable String cell,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    try {
      moves.activate(cell, visit.actor());
      return "redirect:/console/cells?done=active";
    } catch (MoveRejection rejection) {
      explain(visit, "activate", rejection, response, model);
      return page(visit, model);
    }
  }

  @PostMapping("/merchants/{id}/move")
  String move(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String to,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    var merchant = details.find(id);
    try {
      Move _ = moves.request(id, to, visit.actor());
      return "redirect:/console/merchants/%d?done=moving".formatted(id);
    } catch (MoveRejection rejection) {
      model.addAttribute("value", to);
      explain(visit, "to", rejection, response, model);
      return details.page(visit, merchant, model);
    }
  }

  @PostMapping("/merchants/{id}/move/cancel")
  String cancel(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    var merchant = details.find(id);
    try {
      moves.cancel(merchant.merchantId(), visit.actor());
      return "redirect:/console/cells?done=cancelled";
    } catch (MoveRejection rejection) {
      explain(visit, "cancel", rejection, response, model);
      return page(visit, model);
    }
  }

  private static void explain(
      ConsoleRequest visit,
      String form,
      MoveRejection rejection,
      HttpServletResponse response,
      Model model) {
    response.setStatus(422);
    model.addAttribute("wrong", form);
    model.addAttribute("problem", rejection.problem().message(visit.language()));
  }

  private String page(ConsoleRequest visit, Model model) throws SQLException {
    List<CellDirectory.Shown> all = cells.all();
    List<Move> found = moves.all();
    var names = merchants.names(found.stream().map(Move::merchantId).distinct().toList());
    model.addAttribute("cells", all);
    model.addAttribute("kibibyte", KIBIBYTE);
    model.addAttribute("mebibyte", MEBIBYTE);
    model.addAttribute(
        "moves",
        found.stream()
            .map(
                move ->
                    new Shown(
                        move,
                        names.getOrDefault(move.merchantId(), ""),
                        MoveText.of(move.message()).text(visit.language())))
            .toList());
    model.addAttribute("isMoving", found.stream().anyMatch(move -> move.endedAt() == null));
    return visit.isPiece() ? "cells :: state" : "cells";
  }
}
