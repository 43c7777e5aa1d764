package io.stockroom.console.changes;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.changes.RecentChanges;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The newest changes of all products of a merchant. */
@Controller
@Allow({Role.MERCHANT, Role.DEVELOPER})
public final class ChangePages {
  private final RecentChanges changes;

  public ChangePages(RecentChanges changes) {
    this.changes = changes;
  }

  /**
   * @param before shows changes older than this one; 0 for the newest
   * @param live whether the page refreshes itself
   */
  @GetMapping("/changes")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "0") long before,
      @RequestParam(defaultValue = "false") boolean live,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    List<RecentChanges.Row> rows = new ArrayList<>(changes.newest(visit.merchantId(), before));
    boolean more = rows.size() > RecentChanges.PAGE;
    if (more) {
      rows.removeLast();
    }
    model.addAttribute("rows", rows);
    model.addAttribute("more", more ? rows.getLast().number() : null);
    model.addAttribute("before", before);
    model.addAttribute("live", live && before == 0);
    // developers may not open products
    model.addAttribute("linked", visit.person().is(Role.MERCHANT));
    response.setHeader("Vary", "HX-Request");
    return visit.isPiece() ? "changes :: list" : "changes";
  }
}
