package io.stockroom.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.cache.ReadCache;
import io.stockroom.core.catalogue.ArchiveCalls;
import io.stockroom.core.catalogue.FindProducts;
import io.stockroom.core.catalogue.ProductArchive;
import io.stockroom.core.catalogue.ProductDetail;
import io.stockroom.core.catalogue.ProductList;
import io.stockroom.core.catalogue.SaveProducts;
import io.stockroom.core.changes.ChangeFeed;
import io.stockroom.core.changes.ChangeWaiters;
import io.stockroom.core.changes.Changes;
import io.stockroom.core.database.Cells;
import io.stockroom.core.http.Routes;
import io.stockroom.core.limits.DetailLimits;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.OwnUsage;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.publish.PublishResults;
import io.stockroom.core.sandbox.Sandbox;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.stock.AdjustStock;
import io.stockroom.core.stock.CreateStock;
import io.stockroom.core.stock.RemoveStock;
import io.stockroom.core.stock.StockBatch;
import io.stockroom.core.stock.StockDigest;
import io.stockroom.core.stock.StockEntries;
import io.stockroom.core.stock.StockList;
import io.stockroom.core.stock.StockSnapshot;
import io.stockroom.core.webhooks.WebhookCalls;
import io.stockroom.core.webhooks.Webhooks;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.api.ImportCalls;
import io.stockroom.pictures.AddPicture;
import io.stockroom.pictures.Pictures;
import io.stockroom.protocol.Scope;
import java.time.Clock;

/**
 * The calls of the interface: what they share, and the table of their addresses; a part of {@link
 * ServerParts}.
 */
final class InterfaceParts {
  final IdempotentReplies replies;
  final Sandbox sandbox;
  final Usage usage;
  final ChangeWaiters waiters;
  final StockEntries entries;
  final Webhooks webhooks;
  final Imports imports;
  final Routes routes;

  InterfaceParts(
      Cells cells,
      ConcurrencyLimits concurrency,
      Credentials credentials,
      Audit audit,
      Pictures pictures,
      Clock clock,
      Settings settings,
      MeterRegistry meters,
      OpenParts open) {
    replies = new IdempotentReplies(cells);
    sandbox = new Sandbox(settings.get(Settings.SANDBOX), cells);
    DetailLimits detailLimits = sandbox.detailLimits();
    usage = new Usage(cells, detailLimits);
    ChangeFeed feed = new ChangeFeed(cells);
    // half of the connections are left to calls that do not wait
    waiters =
        open.add(new ChangeWaiters(cells, settings.get(Settings.MAX_CONNECTIONS) / 2, meters));
    ReadCache cache = new ReadCache(cells, settings.get(Settings.CACHE_SIZE), meters);
    entries = new StockEntries(clock, settings.get(Settings.BARCODE_UNIQUE));
    webhooks = open.add(new Webhooks(cells, credentials, audit, feed, clock, settings, meters));
    imports = open.add(new Imports(cells, clock, settings, pictures::embedded));
    ImportCalls importCalls = new ImportCalls(imports, replies);
    WebhookCalls webhookCalls = new WebhookCalls(webhooks, replies);
    ArchiveCalls archiveCalls =
        new ArchiveCalls(new ProductArchive(cells, settings.get(Settings.BARCODE_UNIQUE)), replies);
    routes =
        new Routes(concurrency, sandbox.interceptor(detailLimits))
            .add(
                "/Stock/Product",
                Scope.PRODUCT_READ,
                new ProductList(cells, cache, settings.get(Settings.PAGE_SIZE)))
            .add("/Stock/List", Scope.STOCK_READ, new StockList(cells, cache))
            .add("/Stock/Batch", Scope.STOCK_READ, new StockBatch(cells))
            .add(
                CreateStock.PATH,
                Scope.STOCK_WRITE,
                new CreateStock(entries, replies, settings.get(Settings.ANY_SIZE_IN_CREATE)))
            .add(AdjustStock.PATH, Scope.STOCK_WRITE, new AdjustStock(replies))
            .add(RemoveStock.PATH, Scope.STOCK_WRITE, new RemoveStock(entries, replies))
            .add("/Product/Detail", Scope.DETAIL_READ, new ProductDetail(cells, detailLimits))
            .add(
                PublishResults.PATH, Scope.PUBLISH_WRITE, new PublishResults(cells, audit, replies))
            .add("/Product/Find", Scope.PRODUCT_READ, new FindProducts(cells, feed))
            .add(
                SaveProducts.PATH,
                Scope.PRODUCT_WRITE,
                new SaveProducts(cells, replies, pictures::embedded))
            .add(AddPicture.PATH, Scope.PRODUCT_WRITE, new AddPicture(pictures, replies))
            .add("/Product/Archive", Scope.PRODUCT_WRITE, archiveCalls.archive())
            .add("/Product/Restore", Scope.PRODUCT_WRITE, archiveCalls.restore())
            .add("/Usage", null, new OwnUsage(usage, settings.get(Settings.ANY_SIZE_IN_CREATE)))
            .add("/Changes", Scope.CHANGES_READ, new Changes(feed, waiters))
            .add("/Stock/Snapshot", Scope.STOCK_READ, new StockSnapshot(cells, cache))
            .add("/Stock/Digest", Scope.STOCK_READ, new StockDigest(cells))
            .add("/Stock/Import", Scope.STOCK_WRITE, importCalls.start())
            .add("/Stock/Import/Status", Scope.STOCK_WRITE, importCalls.status())
            .add("/Stock/Import/Apply", Scope.STOCK_WRITE, importCalls.apply())
            .add("/Stock/Import/Cancel", Scope.STOCK_WRITE, importCalls.cancel())
            .add("/Stock/Import/Undo", Scope.STOCK_WRITE, importCalls.undo())
            .add("/Webhook/Create", Scope.WEBHOOK_MANAGE, webhookCalls.create())
            .add("/Webhook/Update", Scope.WEBHOOK_MANAGE, webhookCalls.update())
            .add("/Webhook/List", Scope.WEBHOOK_MANAGE, webhookCalls.list())
            .add("/Webhook/Delete", Scope.WEBHOOK_MANAGE, webhookCalls.delete())
            .add("/Webhook/Test", Scope.WEBHOOK_MANAGE, webhookCalls.test())
            .add("/Webhook/Replay", Scope.WEBHOOK_MANAGE, webhookCalls.replay())
            .add("/Webhook/Deliveries", Scope.WEBHOOK_MANAGE, webhookCalls.deliveries())
            .add("/Webhook/Rotate", Scope.WEBHOOK_MANAGE, webhookCalls.rotate())
            .add("/Webhook/Enable", Scope.WEBHOOK_MANAGE, webhookCalls.enable())
            .add("/Webhook/Disable", Scope.WEBHOOK_MANAGE, webhookCalls.disable());
  }
}
