package io.stockroom.console.overview;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.merchants.MarketplaceOverview;
import io.stockroom.core.traffic.Nodes;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The overview: one page for a merchant's people, another one for operators. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT})
public final class OverviewPages {
  private final MerchantOverview ofMerchant;
  private final MarketplaceOverview marketplace;
  private final Nodes nodes;

  public OverviewPages(MerchantOverview ofMerchant, MarketplaceOverview marketplace, Nodes nodes) {
    this.ofMerchant = ofMerchant;
    this.marketplace = marketplace;
    this.nodes = nodes;
  }

  /**
   * @param live whether today's changes refresh themselves
   * @param by {@code errors} sorts an operator's list of merchants by errors instead of calls
   */
  @GetMapping("/overview")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "false") boolean live,
      @RequestParam(defaultValue = "") String by,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    response.setHeader("Vary", "HX-Request");
    if (visit.person().is(Role.OPERATOR)) {
      return marketplace(by.equals("errors"), model);
    }
    model.addAttribute("live", live);
    if (visit.isPiece()) {
      ofMerchant.showChanges(visit, model);
      return "overview :: today";
    }
    ofMerchant.show(visit, model);
    return "overview";
  }

  private String marketplace(boolean byErrors, Model model) throws SQLException {
    List<Nodes.Node> all = nodes.all();
    model.addAttribute("byErrors", byErrors);
    model.addAttribute("busiest", marketplace.busiest(byErrors));
    model.addAttribute("limits", marketplace.nearLimits());
    model.addAttribute("webhooks", marketplace.failingWebhooks());
    model.addAttribute("nodes", all);
    model.addAttribute("there", all.stream().filter(Nodes.Node::isThere).count());
    model.addAttribute("imports", nodes.imports());
    return "overview-operator";
  }
}
