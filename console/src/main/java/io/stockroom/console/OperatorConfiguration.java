package io.stockroom.console;

import io.stockroom.console.operator.AuditPages;
import io.stockroom.console.operator.CellPages;
import io.stockroom.console.operator.LimitPages;
import io.stockroom.console.operator.MerchantDetails;
import io.stockroom.console.operator.MerchantPages;
import io.stockroom.console.operator.MerchantStatusPages;
import io.stockroom.console.operator.ViewPages;
import io.stockroom.console.people.MerchantViews;
import io.stockroom.console.people.People;
import io.stockroom.console.people.Sessions;
import io.stockroom.console.traffic.Quotas;
import io.stockroom.core.access.ApplicationOverview;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.AuditCheck;
import io.stockroom.core.audit.AuditSearch;
import io.stockroom.core.catalogue.StockOverview;
import io.stockroom.core.database.Cells;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.merchants.CellDirectory;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.LimitHistory;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.merchants.MerchantLifecycle;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.moves.MerchantMoves;
import io.stockroom.core.moves.MerchantRemovals;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.traffic.CallTotals;
import io.stockroom.core.webhooks.Webhooks;
import io.stockroom.files.imports.Imports;
import java.time.Clock;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The operator's pages of merchants, limits and the audit log. */
@Configuration(proxyBeanMethods = false)
class OperatorConfiguration {
  @Bean
  MerchantViews merchantViews(Sessions sessions, Audit audit) {
    return new MerchantViews(sessions, audit);
  }

  @Bean
  MerchantDetails merchantDetails(
      Cells cells,
      Merchants merchants,
      MerchantDirectory directory,
      People people,
      Usage usage,
      Webhooks webhooks,
      Imports imports,
      DefaultLimits defaults,
      MerchantMoves moves,
      MerchantRemovals removals,
      Clock clock) {
    return new MerchantDetails(
        merchants,
        directory,
        people,
        new StockOverview(cells),
        new Quotas(usage, imports, defaults),
        new CallTotals(cells),
        new ApplicationOverview(cells.directory()),
        webhooks,
        imports,
        defaults,
        new LimitHistory(cells),
        moves,
        removals,
        clock);
  }

  @Bean
  MerchantPages merchantPages(
      Merchants merchants, MerchantDirectory directory, MerchantDetails details) {
    return new MerchantPages(merchants, directory, details);
  }

  @Bean
  MerchantStatusPages merchantStatusPages(
      MerchantDetails details,
      MerchantLifecycle lifecycle,
      MerchantRemovals removals,
      MessageSource messageSource) {
    return new MerchantStatusPages(details, lifecycle, removals, messageSource);
  }

  @Bean
  ViewPages viewPages(MerchantDetails details, MerchantViews views) {
    return new ViewPages(details, views);
  }

  @Bean
  LimitPages limitPages(
      Cells cells,
      MerchantDetails details,
      Merchants merchants,
      MerchantDirectory directory,
      DefaultLimits defaults,
      Settings settings) {
    return new LimitPages(
        details, merchants, directory, defaults, new LimitHistory(cells), settings);
  }

  @Bean
  CellPages cellPages(
      CellDirectory cells,
      MerchantMoves moves,
      MerchantDirectory merchants,
      MerchantDetails details) {
    return new CellPages(cells, moves, merchants, details);
  }

  @Bean
  AuditPages auditPages(Cells cells, Audit audit, MerchantDirectory merchants) {
    return new AuditPages(new AuditSearch(cells), new AuditCheck(cells, audit), merchants);
  }
}
