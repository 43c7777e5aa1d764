package io.stockroom.console.operator;

import io.stockroom.console.people.People;
import io.stockroom.console.traffic.Quotas;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.access.ApplicationOverview;
import io.stockroom.core.catalogue.StockOverview;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.LimitHistory;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.moves.MerchantMoves;
import io.stockroom.core.moves.MerchantRemovals;
import io.stockroom.core.traffic.CallTotals;
import io.stockroom.core.webhooks.Webhook;
import io.stockroom.core.webhooks.Webhooks;
import io.stockroom.files.imports.Imports;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.springframework.ui.Model;

/** Collects what the operator's page of a merchant shows. */
public final class MerchantDetails {
  private static final int IMPORTS = 5;

  private final Merchants merchants;
  private final MerchantDirectory directory;
  private final People people;
  private final StockOverview stock;
  private final Quotas quotas;
  private final CallTotals calls;
  private final ApplicationOverview applications;
  private final Webhooks webhooks;
  private final Imports imports;
  private final DefaultLimits defaults;
  private final LimitHistory history;
  private final MerchantMoves moves;
  private final MerchantRemovals removals;
  private final Clock clock;

  public MerchantDetails(
      Merchants merchants,
      MerchantDirectory directory,
      People people,
      StockOverview stock,
      Quotas quotas,
      CallTotals calls,
      ApplicationOverview applications,
      Webhooks webhooks,
      Imports imports,
      DefaultLimits defaults,
      LimitHistory history,
      MerchantMoves moves,
      MerchantRemovals removals,
      Clock clock) {
    this.merchants = merchants;
    this.directory = directory;
    this.people = people;
    this.stock = stock;
    this.quotas = quotas;
    this.calls = calls;
    this.applications = applications;
    this.webhooks = webhooks;
    this.imports = imports;
    this.defaults = defaults;
    this.history = history;
    this.moves = moves;
    this.removals = removals;
    this.clock = clock;
  }

  Merchants.Merchant find(int id) throws SQLException {
    Merchants.Merchant merchant = merchants.find(id);
    if (merchant == null) {
      throw PageException.missing();
    }
    return merchant;
  }

  /** The merchant, if its names, status and limits can still change. */
  Merchants.Merchant open(int id) throws SQLException {
    Merchants.Merchant merchant = find(id);
    if (merchant.status().isClosed()) {
      throw new PageException(409, "closed", merchant.name());
    }
    return merchant;
  }

  String page(ConsoleRequest visit, Merchants.Merchant merchant, Model model) throws SQLException {
    int id = merchant.merchantId();
    model.addAttribute("merchant", merchant);
    model.addAttribute("row", directory.row(id));
    model.addAttribute("place", moves.place(id));
    model.addAttribute("removal", removals.find(id));
    model.addAttribute("people", people.all(id));
    model.addAttribute("current", stock.refresh(id));
    model.addAttribute("counts", stock.counts(id));
    model.addAttribute("gauges", quotas.of(merchant));
    ZoneId zone = ZoneId.of(visit.zone());
    LocalDate today = LocalDate.ofInstant(clock.instant(), zone);
    model.addAttribute(
        "calls",
        calls.of(
            id,
            today.atStartOfDay(zone).toInstant(),
            today.withDayOfMonth(1).atStartOfDay(zone).toInstant()));
    model.addAttribute("applications", applications.of(id));
    List<Webhook> all = webhooks.list(id);
    model.addAttribute("webhooks", all.size());
    model.addAttribute(
        "failing",
        all.stream()
            .filter(each -> each.failingSince() != null || each.state() == Webhook.State.FAILING)
            .toList());
    model.addAttribute("imports", imports.page(id, Integer.MAX_VALUE, IMPORTS));
    model.addAttribute("limits", defaults.effective(merchant.limits()));
    model.addAttribute("history", history.of(id));
    return "merchant";
  }
}
