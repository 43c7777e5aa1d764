package io.stockroom.console.operator;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.settings.Settings;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The default limits, and the limits set for individual merchants. */
@Controller
@Allow(Role.OPERATOR)
public final class LimitPages {
  private static final int MAX_SHOWN = 500;

  private final MerchantDirectory directory;
  private final Settings settings;

  public LimitPages(MerchantDirectory directory, Settings settings) {
    this.directory = directory;
    this.settings = settings;
  }

  @GetMapping("/limits")
  String show(Model model) throws SQLException {
    List<MerchantDirectory.OwnLimit> own = directory.ownLimits(MAX_SHOWN + 1);
    model.addAttribute("limits", LimitView.all(settings, Map.of()));
    model.addAttribute("own", own.subList(0, Math.min(own.size(), MAX_SHOWN)));
    model.addAttribute("most", own.size() > MAX_SHOWN ? MAX_SHOWN : null);
    return "limits";
  }
}
