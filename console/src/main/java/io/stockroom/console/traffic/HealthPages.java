package io.stockroom.console.traffic;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.database.Cells;
import io.stockroom.core.http.Addresses;
import io.stockroom.core.traffic.Histories;
import io.stockroom.core.traffic.History;
import io.stockroom.core.traffic.Nodes;
import io.stockroom.core.traffic.Period;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The health page: calls, latency, rejections, connections, nodes, imports. */
@Controller
@Allow(Role.OPERATOR)
public final class HealthPages {
  private final Cells cells;
  private final Nodes nodes;
  private final Histories histories;
  private final Addresses addresses;
  private final MessageSource messages;

  public HealthPages(
      Cells cells, Nodes nodes, Histories histories, Addresses addresses, MessageSource messages) {
    this.cells = cells;
    this.nodes = nodes;
    this.histories = histories;
    this.addresses = addresses;
    this.messages = messages;
  }

  @GetMapping("/health")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String period,
      @RequestParam(defaultValue = "false") boolean live,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    History history = histories.read(Histories.SERVER, Period.of(period));
    History hour =
        history.period() == Period.HOUR ? history : histories.read(Histories.SERVER, Period.HOUR);
    List<Nodes.Node> all = nodes.all();
    // the last minute is not complete
    History.Point minute = hour.points().get(hour.points().size() - 2);
    model.addAttribute("minute", minute);
    model.addAttribute("perSecond", Plot.written(minute.calls() / 60.0));
    model.addAttribute("nodes", all);
    model.addAttribute("there", all.stream().filter(Nodes.Node::isThere).count());
    model.addAttribute(
        "inUse", all.stream().filter(Nodes.Node::isThere).mapToInt(Nodes.Node::inUse).sum());
    model.addAttribute(
        "connections",
        all.stream().filter(Nodes.Node::isThere).mapToInt(Nodes.Node::connections).sum());
    model.addAttribute(
        "waiting", all.stream().filter(Nodes.Node::isThere).mapToInt(Nodes.Node::waiting).sum());
    model.addAttribute("heartbeat", cells.directory().heartbeat());
    model.addAttribute("heartbeatMillis", cells.directory().heartbeat().took().toNanos() / 1e6);
    model.addAttribute("silentCells", String.join(", ", silentCells()));
    model.addAttribute("imports", nodes.imports());
    model.addAttribute("history", history);
    model.addAttribute("plots", Plots.of(history, visit, messages));
    model.addAttribute("live", live);
    model.addAttribute("untrustedProxy", addresses.untrustedProxy());
    response.setHeader("Vary", "HX-Request");
    return visit.isPiece() ? "health :: state" : "health";
  }

  /** The cells whose merchants are answered 503 by this node. */
  private List<String> silentCells() {
    return Stream.concat(
            cells.unusable().keySet().stream(),
            cells.all().stream()
                .filter(cell -> !cell.database().heartbeat().answers())
                .map(Cells.Cell::name))
        .toList();
  }
}
