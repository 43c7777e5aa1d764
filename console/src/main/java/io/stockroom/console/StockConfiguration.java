package io.stockroom.console;

import io.stockroom.console.changes.ChangePages;
import io.stockroom.console.stock.StockPages;
import io.stockroom.console.stock.StockPlot;
import io.stockroom.console.webhooks.WebhookPages;
import io.stockroom.core.catalogue.LowStock;
import io.stockroom.core.changes.RecentChanges;
import io.stockroom.core.database.Database;
import io.stockroom.core.stock.StockEntries;
import io.stockroom.core.stock.StockGrid;
import io.stockroom.core.stock.StockHistory;
import io.stockroom.core.stock.StockTotals;
import io.stockroom.core.webhooks.Webhooks;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the pages about stock and its changes. */
@Configuration(proxyBeanMethods = false)
class StockConfiguration {
  @Bean
  StockPages stockPages(
      Database database, StockEntries entries, LowStock lowStock, MessageSource messageSource) {
    StockHistory history = new StockHistory(database);
    return new StockPages(
        new StockGrid(database, entries, history),
        history,
        new StockPlot(new StockTotals(database), messageSource),
        lowStock,
        messageSource);
  }

  @Bean
  RecentChanges recentChanges(Database database) {
    return new RecentChanges(database);
  }

  @Bean
  ChangePages changePages(RecentChanges changes) {
    return new ChangePages(changes);
  }

  @Bean
  WebhookPages webhookPages(Webhooks webhooks, RecentChanges changes) {
    return new WebhookPages(webhooks, changes);
  }
}
