package io.stockroom.console;

import io.stockroom.console.changes.ChangePages;
import io.stockroom.console.products.ArchivePages;
import io.stockroom.console.products.BulkPages;
import io.stockroom.console.products.PicturePages;
import io.stockroom.console.products.ProductEditPages;
import io.stockroom.console.stock.StockPages;
import io.stockroom.console.stock.StockPlot;
import io.stockroom.console.webhooks.WebhookPages;
import io.stockroom.core.catalogue.LowStock;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.catalogue.ProductArchive;
import io.stockroom.core.catalogue.ProductEditor;
import io.stockroom.core.changes.RecentChanges;
import io.stockroom.core.database.Cells;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.stock.BulkEdit;
import io.stockroom.core.stock.StockEntries;
import io.stockroom.core.stock.StockGrid;
import io.stockroom.core.stock.StockHistory;
import io.stockroom.core.stock.StockTotals;
import io.stockroom.core.webhooks.Webhooks;
import io.stockroom.files.imports.Imports;
import io.stockroom.pictures.Pictures;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the pages that edit products, and those about stock and its changes. */
@Configuration(proxyBeanMethods = false)
class StockConfiguration {
  @Bean
  StockPages stockPages(
      Cells cells, StockEntries entries, LowStock lowStock, MessageSource messageSource) {
    StockHistory history = new StockHistory(cells);
    return new StockPages(
        new StockGrid(cells, entries, history),
        history,
        new StockPlot(new StockTotals(cells), messageSource),
        lowStock,
        messageSource);
  }

  @Bean
  ProductArchive productArchive(Cells cells, Settings settings) {
    return new ProductArchive(cells, settings.get(Settings.BARCODE_UNIQUE));
  }

  @Bean
  ArchivePages archivePages(MerchantProducts products, ProductArchive archive) {
    return new ArchivePages(products, archive);
  }

  @Bean
  ProductEditor productEditor(Cells cells) {
    return new ProductEditor(cells);
  }

  @Bean
  ProductEditPages productEditPages(
      ProductEditor editor, Pictures pictures, MessageSource messageSource) {
    return new ProductEditPages(editor, pictures, messageSource);
  }

  @Bean
  PicturePages picturePages(Pictures pictures, ProductEditor editor, MessageSource messageSource) {
    return new PicturePages(pictures, editor, messageSource);
  }

  @Bean
  BulkPages bulkPages(
      Cells cells,
      MerchantProducts products,
      StockEntries entries,
      Imports imports,
      MessageSource messageSource) {
    return new BulkPages(products, new BulkEdit(cells, entries), imports, messageSource);
  }

  @Bean
  RecentChanges recentChanges(Cells cells) {
    return new RecentChanges(cells);
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
