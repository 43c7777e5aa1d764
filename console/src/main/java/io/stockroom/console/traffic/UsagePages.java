package io.stockroom.console.traffic;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.publish.PublishResults;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Span;
import io.stockroom.core.traffic.Histories;
import io.stockroom.core.traffic.History;
import io.stockroom.core.traffic.Period;
import io.stockroom.files.imports.Imports;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The usage page: how much of each limit is left, the applications' calls, and unpublished
 * products.
 */
@Controller
@Allow({Role.MERCHANT, Role.DEVELOPER})
public final class UsagePages {
  private static final int MAX_REPORTED = 300;

  /**
   * A selectable application and store.
   *
   * @param name its form in a URL
   */
  public record Choice(String name, String label) {
    static Choice of(Usage.Access access) {
      String store = access.store();
      return new Choice(
          access.applicationId() + "-" + Integer.toHexString(store.hashCode()),
          store.isEmpty() ? access.application() : access.application() + " · " + store);
    }
  }

  /** A fetched product without a publish result, and when the result becomes optional. */
  public record Fetched(Usage.Unpublished product, Instant graceUntil, boolean late) {}

  private final Usage usage;
  private final Merchants merchants;
  private final PublishResults results;
  private final Histories histories;
  private final Imports imports;
  private final DefaultLimits defaults;
  private final Clock clock;
  private final MessageSource messages;

  public UsagePages(
      Usage usage,
      Merchants merchants,
      PublishResults results,
      Histories histories,
      Imports imports,
      DefaultLimits defaults,
      Clock clock,
      MessageSource messages) {
    this.usage = usage;
    this.merchants = merchants;
    this.results = results;
    this.histories = histories;
    this.imports = imports;
    this.defaults = defaults;
    this.clock = clock;
    this.messages = messages;
  }

  /**
   * @param access the application and store whose limits are shown
   * @param page of the products without a publish result
   * @param reported how many results were just reported
   */
  @GetMapping("/usage")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String access,
      @RequestParam(defaultValue = "") String period,
      @RequestParam(defaultValue = "1") int page,
      @RequestParam(required = false) @Nullable Integer reported,
      Model model)
      throws SQLException {
    int merchantId = visit.merchantId();
    Limits limits = limits(merchantId);
    List<Usage.Access> accesses = usage.accesses(merchantId);
    Usage.Access chosen = chosen(accesses, access);
    Usage.Report report =
        usage
            .report(
                merchantId,
                chosen == null ? null : chosen.applicationId(),
                chosen == null ? "" : chosen.store(),
                limits,
                Math.max(1, page))
            .with(imports.use(merchantId).lines());
    History history = histories.read(merchantId, Period.of(period));
    model.addAttribute("gauges", Gauge.of(report, limits));
    model.addAttribute("report", report);
    model.addAttribute("fetched", fetched(report, limits));
    model.addAttribute("grace", limits.publishGrace().toString());
    model.addAttribute("choices", accesses.stream().map(Choice::of).toList());
    model.addAttribute("access", chosen == null ? "" : Choice.of(chosen).name);
    model.addAttribute("store", chosen == null ? "" : chosen.store());
    model.addAttribute("history", history);
    model.addAttribute("plots", Plots.of(history, visit, messages));
    model.addAttribute("reported", reported);
    return "usage";
  }

  @PostMapping("/usage/report")
  String report(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String access,
      @RequestParam(defaultValue = "") String result,
      @RequestParam(name = "product", required = false) @Nullable List<Integer> products)
      throws SQLException {
    List<Integer> ticked = products == null ? List.of() : products;
    boolean known = result.equals("published") || result.equals("failed");
    if (!known || ticked.size() > MAX_REPORTED) {
      throw new PageException(422, "report");
    }
    int merchantId = visit.merchantId();
    Usage.Access chosen = chosen(usage.accesses(merchantId), access);
    String store = chosen == null ? "" : chosen.store();
    int reported =
        results.report(
            new PublishResults.Reporter(merchantId, store, visit.actor()),
            ticked,
            result.equals("published"));
    String back = chosen == null ? "" : "&access=" + Choice.of(chosen).name;
    return "redirect:/console/usage?reported=%d%s".formatted(reported, back);
  }

  private Limits limits(int merchantId) throws SQLException {
    Merchants.Merchant merchant = merchants.find(merchantId);
    if (merchant == null) {
      throw PageException.missing();
    }
    return defaults.with(merchant.limits());
  }

  private static Usage.@Nullable Access chosen(List<Usage.Access> accesses, String name) {
    return accesses.stream()
        .filter(access -> Choice.of(access).name.equals(name))
        .findFirst()
        .orElse(accesses.isEmpty() ? null : accesses.getFirst());
  }

  private List<Fetched> fetched(Usage.Report report, Limits limits) {
    Instant now = clock.instant();
    return report.unpublished().stream()
        .map(
            product -> {
              Instant until = after(product.fetchedAt(), limits.publishGrace(), limits.zone());
              return new Fetched(product, until, until.isBefore(now));
            })
        .toList();
  }

  private static Instant after(Instant from, Span span, ZoneId zone) {
    return from.atZone(zone).plus(span.period()).plus(span.duration()).toInstant();
  }
}
