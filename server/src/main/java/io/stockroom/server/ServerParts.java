package io.stockroom.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.console.notifications.LowStockDigest;
import io.stockroom.core.access.Applications;
import io.stockroom.core.access.Authenticator;
import io.stockroom.core.access.CellPasswords;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.KeyRotation;
import io.stockroom.core.access.Nonces;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.access.Tokens;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.catalogue.LowProducts;
import io.stockroom.core.catalogue.ProductArchive;
import io.stockroom.core.catalogue.ProductSummaries;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.http.Addresses;
import io.stockroom.core.http.Languages;
import io.stockroom.core.merchants.CellCheck;
import io.stockroom.core.merchants.CellDirectory;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.merchants.MerchantLifecycle;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.moves.MerchantMoves;
import io.stockroom.core.moves.MerchantRemovals;
import io.stockroom.core.moves.MoveRunner;
import io.stockroom.core.moves.RemovalRunner;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.traffic.RequestLog;
import io.stockroom.core.traffic.Traffic;
import io.stockroom.demo.Demo;
import io.stockroom.demo.DemoSeeder;
import io.stockroom.files.export.Exports;
import io.stockroom.pictures.Pictures;
import io.stockroom.server.Housekeeping.Task;
import io.stockroom.server.admin.AdminRoutes;
import io.stockroom.server.admin.ApplicationRoutes;
import io.stockroom.server.admin.CellRoutes;
import io.stockroom.server.admin.ExportRoutes;
import io.stockroom.server.admin.ImportRoutes;
import io.stockroom.server.admin.LimitRoutes;
import io.stockroom.server.admin.MailRoutes;
import io.stockroom.server.admin.MerchantRoutes;
import io.stockroom.server.admin.MoveRoutes;
import io.stockroom.server.admin.PersonRoutes;
import io.stockroom.server.admin.PictureRoutes;
import io.stockroom.server.admin.ProductRoutes;
import io.stockroom.server.admin.RequestRoutes;
import io.stockroom.server.admin.SandboxRoutes;
import io.stockroom.server.admin.ServerRoutes;
import io.stockroom.server.admin.TokenRoutes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Makes every part of the server behind the web servers, in order, by plain constructor calls. */
final class ServerParts {
  private static final Duration AT_ONCE = Duration.ofSeconds(3);
  private static final Duration OFTEN = Duration.ofSeconds(15);
  private static final Duration SELDOM = Duration.ofMinutes(1);

  final Settings settings;
  final Clock clock;
  final MeterRegistry meters;
  final Cells cells;
  final Languages languages;
  final Addresses addresses;
  final Pictures pictures;
  final ConcurrencyLimits limits;
  final Traffic traffic;
  final Nonces nonces;
  final Authenticator authenticator;
  final InterfaceParts calls;
  final PeopleParts people;
  final AdminRoutes adminRoutes;
  final DatabaseHealth health;

  private final Audit audit;
  private final Credentials credentials;
  private final Applications applications;
  private final Tokens tokens;
  private final Exports exports;
  private final Merchants merchants;
  private final MerchantLifecycle lifecycle;
  private final DefaultLimits defaults;
  private final CellPasswords cellPasswords;
  private final CellDirectory cellDirectory;
  private final MerchantMoves moves;
  private final MerchantRemovals removals;

  ServerParts(
      Settings settings,
      ServerKeys keys,
      DatabaseRoles roles,
      Clock clock,
      MeterRegistry meters,
      OpenParts open,
      IntSupplier port) {
    this.settings = settings;
    this.clock = clock;
    this.meters = meters;
    languages = new Languages(settings.get(Settings.LANGUAGE));
    addresses = new Addresses(settings.get(Settings.TRUSTED_PROXIES));
    SecretBox box = new SecretBox(keys.secret()::read);
    cells = open.add(DatabaseParts.open(roles, box, settings, meters));
    Database directory = cells.directory();
    pictures = open.add(new Pictures(cells, settings, () -> settings.baseUrl(port.getAsInt())));
    audit = new Audit(cells);
    credentials = new Credentials(cells, box, settings);
    nonces = new Nonces(cells);
    traffic = open.add(new Traffic(cells, clock, settings, meters));
    limits =
        new ConcurrencyLimits(
            settings.get(Settings.DATABASE_POOL_SIZE),
            Runtime.getRuntime().availableProcessors(),
            settings.get(Settings.MAX_WAIT),
            meters);
    calls =
        new InterfaceParts(
            cells, limits, credentials, audit, pictures, clock, settings, meters, open);
    authenticator =
        new Authenticator(
            credentials,
            clock,
            calls.sandbox.clock(clock),
            settings.get(Settings.TIMESTAMP_WINDOW),
            settings.get(Settings.REQUIRE_NONCE),
            settings.get(Settings.FAILED_AUTHENTICATIONS),
            settings.get(Settings.DIRECTORY_OUTAGE),
            limits.of(CallKind.CALLER));
    health = new DatabaseHealth(cells, authenticator::isOutageBridged);
    people = new PeopleParts(directory, credentials, audit, clock, settings, open);
    applications = new Applications(directory, credentials, audit);
    tokens = new Tokens(directory, credentials, audit);
    exports = new Exports(cells, settings.get(Settings.DATABASE_POOL_SIZE));
    merchants = new Merchants(cells, audit);
    lifecycle = new MerchantLifecycle(directory, audit, calls.webhooks);
    defaults = new DefaultLimits(directory, audit, settings);
    cellPasswords = new CellPasswords(credentials);
    cellDirectory = new CellDirectory(cells, roles, cellPasswords, audit);
    moves = new MerchantMoves(cells, audit);
    removals = new MerchantRemovals(directory, audit);
    adminRoutes = adminRoutes(keys);
    open.add(new MoveRunner(cells).start());
    open.add(new RemovalRunner(cells, pictures::removeAll).start());
    open.add(housekeeping());
  }

  private AdminRoutes adminRoutes(ServerKeys keys) {
    String publicUrl = settings.get(Settings.BASE_URL).replaceAll("/+$", "");
    return new AdminRoutes(
        new MerchantRoutes(
            merchants, lifecycle, calls.usage, calls.imports, pictures, defaults, removals),
        new LimitRoutes(merchants, defaults),
        new ApplicationRoutes(applications, clock),
        new TokenRoutes(tokens, applications, merchants, clock),
        new PersonRoutes(people.people, people.links, people.secondFactors, merchants, publicUrl),
        new ServerRoutes(
            new KeyRotation(
                cells,
                keys.secret(),
                credentials,
                applications,
                connection ->
                    people.totpSecrets.reseal(connection)
                        + cellPasswords.reseal(connection)
                        + people.mails.reseal(connection),
                calls.webhooks::reseal),
            audit),
        new ImportRoutes(calls.imports),
        new ExportRoutes(merchants, exports, audit),
        new ProductRoutes(
            merchants, new ProductArchive(cells, settings.get(Settings.BARCODE_UNIQUE))),
        new RequestRoutes(new RequestLog(cells)),
        new CellRoutes(cellDirectory, new CellCheck(cells)),
        new MoveRoutes(moves),
        new MailRoutes(people.mails),
        new PictureRoutes(pictures.move(), audit),
        new SandboxRoutes(calls.sandbox, merchants));
  }

  private Housekeeping housekeeping() {
    ChangeLog changes = new ChangeLog(cells);
    int changesDays = settings.get(Settings.CHANGES_DAYS);
    int webhooksDays = settings.get(Settings.WEBHOOKS_DAYS);
    Duration window = settings.get(Settings.TIMESTAMP_WINDOW);
    LowStockDigest digest =
        new LowStockDigest(cells.directory(), new LowProducts(cells), people.mails, clock);
    Gauge.builder(
            "stockroom.audit.queue.age", () -> audit.queueAge(clock.instant()).toMillis() / 1e3)
        .description("Age of the oldest audit entry that waits for the cell of its merchant")
        .baseUnit("seconds")
        .register(meters);
    return new Housekeeping(
        clock,
        meters,
        List.of(
            new Task("audit-delivery", AT_ONCE, audit::deliver),
            new Task("remembered-callers", OFTEN, authenticator::refreshRemembered),
            new Task("write-probe", OFTEN, health::probeWrites),
            new Task("metrics", OFTEN, new MarketplaceMeters(cells, meters)::refresh),
            new Task("product-summaries", OFTEN, new ProductSummaries(cells)::refreshAll),
            new Task("last-uses", OFTEN, credentials::saveLastUses),
            new Task("failed-sign-ins", OFTEN, people.failures::flush),
            new Task("old-changes", OFTEN, () -> changes.deleteOld(changesDays)),
            new Task("old-deliveries", OFTEN, () -> calls.webhooks.deleteOld(webhooksDays)),
            new Task("old-traffic", OFTEN, traffic::forgetOld),
            new Task("low-stock-mails", SELDOM, digest::queueDue),
            new Task("old-mails", SELDOM, people.mails::deleteOld),
            new Task("old-replies", SELDOM, calls.replies::deleteOld),
            new Task("old-nonces", SELDOM, () -> nonces.forgetOld(window)),
            new Task("old-imports", SELDOM, calls.imports::forgetOld),
            new Task("old-pictures", SELDOM, pictures.unused()::removeOld),
            new Task("old-sessions", SELDOM, people.sessions::forgetOld),
            new Task("old-audit-receipts", SELDOM, audit::forgetReceipts)));
  }

  /** The parts that the pages of the console use. */
  List<Object> ofConsole() {
    List<Object> parts =
        new ArrayList<>(
            List.of(
                settings,
                clock,
                cells,
                languages,
                addresses,
                pictures,
                limits,
                audit,
                credentials,
                applications,
                tokens,
                exports,
                merchants,
                new MerchantDirectory(cells),
                lifecycle,
                defaults,
                cellDirectory,
                moves,
                removals,
                calls.replies,
                calls.usage,
                calls.entries,
                calls.webhooks,
                calls.imports,
                calls.routes));
    parts.addAll(people.ofConsole());
    return parts;
  }

  /** Fills the demo marketplace. */
  Demo demo() {
    return new Demo(
        new DemoSeeder(cells, pictures, merchants, calls.imports, calls.entries),
        applications,
        tokens,
        people.people,
        people.links);
  }
}
