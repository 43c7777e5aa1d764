package io.stockroom.console.overview;

import io.stockroom.console.people.PreferenceStore;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.merchants.MarketplaceOverview;
import io.stockroom.core.traffic.Nodes;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The overview: one page for a merchant's people, another one for operators. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT})
public final class OverviewPages {
  private final MerchantOverview ofMerchant;
  private final MarketplaceOverview marketplace;
  private final Nodes nodes;
  private final FirstSteps firstSteps;
  private final PreferenceStore preferences;

  public OverviewPages(
      MerchantOverview ofMerchant,
      MarketplaceOverview marketplace,
      Nodes nodes,
      FirstSteps firstSteps,
      PreferenceStore preferences) {
    this.ofMerchant = ofMerchant;
    this.marketplace = marketplace;
    this.nodes = nodes;
    this.firstSteps = firstSteps;
    this.preferences = preferences;
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
      model.addAttribute("first", checklist(visit));
      return marketplace(by.equals("errors"), model);
    }
    model.addAttribute("live", live);
    if (visit.isPiece()) {
      ofMerchant.showChanges(visit, model);
      return "overview :: today";
    }
    model.addAttribute("first", checklist(visit));
    ofMerchant.show(visit, model);
    return "overview";
  }

  @PostMapping("/overview/first-steps/hide")
  String hideFirstSteps(@RequestAttribute ConsoleRequest visit) throws SQLException {
    preferences.hideFirstSteps(visit.person().personId());
    return "redirect:/console/overview";
  }

  /** The first steps; null if this person has finished or dismissed them. */
  private FirstSteps.@Nullable Checklist checklist(ConsoleRequest visit) throws SQLException {
    if (visit.person().preferences().firstStepsHidden()) {
      return null;
    }
    FirstSteps.Checklist list =
        visit.person().is(Role.OPERATOR)
            ? firstSteps.ofOperator()
            : firstSteps.ofMerchant(visit.merchantId());
    if (!list.isFinished()) {
      return list;
    }
    preferences.hideFirstSteps(visit.person().personId());
    return null;
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
