package io.stockroom.console;

import io.stockroom.console.notifications.Notifications;
import io.stockroom.console.overview.FirstSteps;
import io.stockroom.console.overview.MerchantOverview;
import io.stockroom.console.overview.OverviewPages;
import io.stockroom.console.people.PreferenceStore;
import io.stockroom.console.products.LowStockPages;
import io.stockroom.console.products.ProductPages;
import io.stockroom.console.products.SavedViewPages;
import io.stockroom.console.products.SavedViews;
import io.stockroom.console.search.PalettePages;
import io.stockroom.console.traffic.Quotas;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.catalogue.LowStock;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.catalogue.ProductArchive;
import io.stockroom.core.catalogue.StockOverview;
import io.stockroom.core.changes.RecentChanges;
import io.stockroom.core.database.Cells;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.MarketplaceOverview;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.traffic.Nodes;
import io.stockroom.files.imports.Imports;
import java.time.Clock;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the overview, the pages about products, and the search over all of them. */
@Configuration(proxyBeanMethods = false)
class CatalogueConfiguration {
  @Bean
  MerchantProducts merchantProducts(Cells cells) {
    return new MerchantProducts(cells);
  }

  @Bean
  LowStock lowStock(Cells cells, Audit audit) {
    return new LowStock(cells, audit);
  }

  @Bean
  SavedViews savedViews(Cells cells) {
    return new SavedViews(cells.directory());
  }

  @Bean
  ProductPages productPages(
      MerchantProducts products, ProductArchive archive, SavedViews views, LowStock lowStock) {
    return new ProductPages(products, archive, views, lowStock);
  }

  @Bean
  SavedViewPages savedViewPages(SavedViews views) {
    return new SavedViewPages(views);
  }

  @Bean
  LowStockPages lowStockPages(
      MerchantProducts products, LowStock lowStock, ProductPages productPages) {
    return new LowStockPages(products, lowStock, productPages);
  }

  @Bean
  PalettePages palettePages(
      MerchantProducts products, MerchantDirectory merchants, MessageSource messageSource) {
    return new PalettePages(products, merchants, messageSource);
  }

  @Bean
  OverviewPages overviewPages(
      Cells cells,
      RecentChanges changes,
      Usage usage,
      Merchants merchants,
      MerchantDirectory directory,
      Imports imports,
      Notifications notifications,
      PreferenceStore preferences,
      DefaultLimits defaults,
      Clock clock) {
    Quotas quotas = new Quotas(usage, imports, defaults);
    return new OverviewPages(
        new MerchantOverview(
            new StockOverview(cells), changes, quotas, merchants, imports, notifications, clock),
        new MarketplaceOverview(cells, directory, defaults, clock),
        new Nodes(cells),
        new FirstSteps(cells),
        preferences);
  }
}
