package io.stockroom.console.overview;

import io.stockroom.console.notifications.Notifications;
import io.stockroom.console.traffic.Gauge;
import io.stockroom.console.traffic.Quotas;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.catalogue.StockOverview;
import io.stockroom.core.changes.RecentChanges;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.files.imports.Imports;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.springframework.ui.Model;

/**
 * Collects what a merchant's overview shows. Every figure is a kept count or a short index scan.
 */
public final class MerchantOverview {
  private static final int UNSEEN_PRODUCTS = 5;
  private static final int MISSING_PRODUCTS = 10;
  private static final int CHANGES = 8;
  private static final int IMPORTS = 5;

  private final StockOverview stock;
  private final RecentChanges changes;
  private final Quotas quotas;
  private final Merchants merchants;
  private final Imports imports;
  private final Notifications notifications;
  private final Clock clock;

  public MerchantOverview(
      StockOverview stock,
      RecentChanges changes,
      Quotas quotas,
      Merchants merchants,
      Imports imports,
      Notifications notifications,
      Clock clock) {
    this.stock = stock;
    this.changes = changes;
    this.quotas = quotas;
    this.merchants = merchants;
    this.imports = imports;
    this.notifications = notifications;
    this.clock = clock;
  }

  void show(ConsoleRequest visit, Model model) throws SQLException {
    int merchantId = visit.merchantId();
    boolean current = stock.refresh(merchantId);
    StockOverview.Counts counts = stock.counts(merchantId);
    model.addAttribute("current", current);
    model.addAttribute("counts", counts);
    model.addAttribute("unseen", notifications.unseen(visit.person(), UNSEEN_PRODUCTS));
    model.addAttribute("missing", stock.missing(merchantId, MISSING_PRODUCTS));
    model.addAttribute("waiting", imports.awaitingConfirmation(merchantId, IMPORTS));
    model.addAttribute("gauges", gauges(merchantId));
    showChanges(visit, model);
  }

  /** The part that refreshes itself. */
  void showChanges(ConsoleRequest visit, Model model) throws SQLException {
    Instant midnight = midnight(visit.zoneId());
    List<RecentChanges.Row> today =
        changes.latest(visit.merchantId(), CHANGES).stream()
            .filter(row -> !row.at().isBefore(midnight))
            .toList();
    model.addAttribute("changes", today);
    model.addAttribute("changesToday", changes.countSince(visit.merchantId(), midnight));
  }

  private Instant midnight(ZoneId zone) {
    return LocalDate.ofInstant(clock.instant(), zone).atStartOfDay(zone).toInstant();
  }

  private List<Gauge> gauges(int merchantId) throws SQLException {
    Merchants.Merchant merchant = merchants.find(merchantId);
    if (merchant == null) {
      throw PageException.missing();
    }
    return quotas.of(merchant);
  }
}
