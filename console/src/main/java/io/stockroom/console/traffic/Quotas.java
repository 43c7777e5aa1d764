package io.stockroom.console.traffic;

import io.stockroom.core.limits.Usage;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.settings.Limits;
import io.stockroom.files.imports.Imports;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** How much of a merchant's quotas is used, as rings on the overview show it. */
public final class Quotas {
  /** The limits that run out; the others do not reset. */
  private static final Set<String> RINGS = Set.of("day", "share", "published", "store", "imports");

  private final Usage usage;
  private final Imports imports;
  private final DefaultLimits defaults;

  public Quotas(Usage usage, Imports imports, DefaultLimits defaults) {
    this.usage = usage;
    this.imports = imports;
    this.defaults = defaults;
  }

  /** The quotas with the bound store of the token that was used last. */
  public List<Gauge> of(Merchants.Merchant merchant) throws SQLException {
    int merchantId = merchant.merchantId();
    Limits limits = defaults.with(merchant.limits());
    List<Usage.Access> accesses = usage.accesses(merchantId);
    Usage.Access latest = accesses.isEmpty() ? null : accesses.getFirst();
    Usage.Report report =
        usage
            .limits(
                merchantId,
                latest == null ? null : latest.applicationId(),
                latest == null ? "" : latest.store(),
                limits)
            .with(imports.use(merchantId).lines());
    return Gauge.of(report, limits).stream().filter(each -> RINGS.contains(each.name())).toList();
  }
}
