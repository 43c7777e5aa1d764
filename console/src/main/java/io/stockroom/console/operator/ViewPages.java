package io.stockroom.console.operator;

import io.stockroom.console.people.MerchantViews;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.WhileReadOnly;
import io.stockroom.core.merchants.Merchants;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;

/** Lets an operator see the console as a merchant sees it, read-only. */
@Controller
public final class ViewPages {
  private final MerchantDetails details;
  private final MerchantViews views;

  public ViewPages(MerchantDetails details, MerchantViews views) {
    this.details = details;
    this.views = views;
  }

  @PostMapping("/merchants/{id}/view")
  @Allow(Role.OPERATOR)
  String begin(@RequestAttribute ConsoleRequest visit, @PathVariable int id) throws SQLException {
    Merchants.Merchant merchant = details.find(id);
    views.begin(visit.session(), merchant.merchantId(), visit.actor());
    return "redirect:/console/overview";
  }

  /** Another tab may have ended it already. */
  @PostMapping("/view/end")
  @Allow
  @WhileReadOnly
  String end(@RequestAttribute ConsoleRequest visit) throws SQLException {
    if (!visit.person().viewing()) {
      return "redirect:/console";
    }
    int merchantId = visit.merchantId();
    views.end(visit.session(), merchantId, visit.actor());
    return "redirect:/console/merchants/" + merchantId;
  }
}
