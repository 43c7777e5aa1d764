package io.stockroom.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.console.ConsoleServlet;
import io.stockroom.console.mail.Mails;
import io.stockroom.console.notifications.LowStockDigest;
import io.stockroom.console.people.Links;
import io.stockroom.console.people.People;
import io.stockroom.console.people.SecondFactors;
import io.stockroom.console.people.Sessions;
import io.stockroom.console.people.TotpSecrets;
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
import io.stockroom.core.audit.FailedAttempts;
import io.stockroom.core.catalogue.LowProducts;
import io.stockroom.core.catalogue.ProductArchive;
import io.stockroom.core.catalogue.ProductSummaries;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.http.Addresses;
import io.stockroom.core.http.InterfaceServlet;
import io.stockroom.core.http.Languages;
import io.stockroom.core.http.OverloadResponse;
import io.stockroom.core.http.Routes;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.merchants.CellCheck;
import io.stockroom.core.merchants.CellDirectory;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.MerchantLifecycle;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.moves.MerchantMoves;
import io.stockroom.core.moves.MerchantRemovals;
import io.stockroom.core.sandbox.Sandbox;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.stock.StockEntries;
import io.stockroom.core.traffic.RequestLog;
import io.stockroom.core.traffic.Traffic;
import io.stockroom.core.webhooks.Webhooks;
import io.stockroom.demo.Demo;
import io.stockroom.demo.DemoSeeder;
import io.stockroom.demo.pictures.PicturesServlet;
import io.stockroom.demo.pictures.ProductPicture;
import io.stockroom.files.export.Exports;
import io.stockroom.files.imports.Imports;
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
import io.stockroom.server.admin.ProductRoutes;
import io.stockroom.server.admin.RequestRoutes;
import io.stockroom.server.admin.SandboxRoutes;
import io.stockroom.server.admin.ServerRoutes;
import io.stockroom.server.admin.TokenRoutes;
import io.stockroom.server.apidocs.ApiDocsServlet;
import io.stockroom.server.docs.DocsServlet;
import jakarta.servlet.http.HttpFilter;
import java.time.Clock;
import java.util.Objects;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** Wires every part of the server, in order. */
@Configuration(proxyBeanMethods = false)
@Import({
  DatabaseConfiguration.class,
  MerchantConfiguration.class,
  SpringBootImports.class,
  PeopleConfiguration.class,
  InterfaceConfiguration.class
})
class ServerConfiguration {
  @Bean
  Languages languages(Settings settings) {
    return new Languages(settings.get(Settings.LANGUAGE));
  }

  @Bean
  Audit audit(Cells cells) {
    return new Audit(cells);
  }

  @Bean
  SecretBox secretBox(ServerKeys keys) {
    return new SecretBox(keys.secret()::read);
  }

  @Bean
  Credentials credentials(Cells cells, SecretBox box, Settings settings) {
    return new Credentials(cells, box, settings);
  }

  @Bean
  Nonces nonces(Cells cells) {
    return new Nonces(cells);
  }

  @Bean
  Traffic traffic(Cells cells, Clock clock, Settings settings, MeterRegistry meters) {
    return new Traffic(cells, clock, settings, meters);
  }

  @Bean
  Housekeeping housekeeping(
      IdempotentReplies replies,
      Nonces nonces,
      Credentials credentials,
      Authenticator authenticator,
      Imports imports,
      Sessions sessions,
      FailedAttempts failures,
      ChangeLog changes,
      Webhooks webhooks,
      Traffic traffic,
      Mails mails,
      Cells cells,
      Clock clock,
      Settings settings) {
    return new Housekeeping(
        new ProductSummaries(cells)::refreshAll,
        new LowStockDigest(cells.directory(), new LowProducts(cells), mails, clock)::queueDue,
        mails::deleteOld,
        replies::deleteOld,
        () -> nonces.forgetOld(settings.get(Settings.TIMESTAMP_WINDOW)),
        credentials::saveLastUses,
        authenticator::refreshRemembered,
        imports::forgetOld,
        sessions::forgetOld,
        failures::flush,
        () -> changes.deleteOld(settings.get(Settings.CHANGES_DAYS)),
        () -> webhooks.deleteOld(settings.get(Settings.WEBHOOKS_DAYS)),
        traffic::forgetOld);
  }

  @Bean
  ConcurrencyLimits concurrencyLimits(Settings settings, MeterRegistry meters) {
    return new ConcurrencyLimits(
        settings.get(Settings.DATABASE_POOL_SIZE),
        Runtime.getRuntime().availableProcessors(),
        settings.get(Settings.MAX_WAIT),
        meters);
  }

  @Bean
  Addresses addresses(Settings settings) {
    return new Addresses(settings.get(Settings.TRUSTED_PROXIES));
  }

  @Bean
  Authenticator authenticator(
      Credentials credentials,
      Clock clock,
      Sandbox sandbox,
      Settings settings,
      ConcurrencyLimits limits) {
    return new Authenticator(
        credentials,
        clock,
        sandbox.clock(clock),
        settings.get(Settings.TIMESTAMP_WINDOW),
        settings.get(Settings.FAILED_AUTHENTICATIONS),
        settings.get(Settings.DIRECTORY_OUTAGE),
        limits.of(CallKind.CALLER));
  }

  @Bean
  ServletRegistrationBean<InterfaceServlet> interfaceServlet(
      Routes routes,
      Authenticator authenticator,
      Nonces nonces,
      Cells cells,
      Addresses addresses,
      Languages languages,
      Traffic traffic,
      MeterRegistry meters) {
    return servlet(
        new InterfaceServlet(
            routes,
            authenticator,
            nonces,
            cells::share,
            addresses,
            languages,
            traffic,
            meters,
            ConsoleServlet.PATH),
        "/");
  }

  @Bean
  FilterRegistrationBean<HttpFilter> sandboxFilter(Sandbox sandbox) {
    FilterRegistrationBean<HttpFilter> registration =
        new FilterRegistrationBean<>(sandbox.cutter());
    registration.setEnabled(sandbox.isOn());
    return registration;
  }

  @Bean
  Applications applications(Database directory, Credentials credentials, Audit audit) {
    return new Applications(directory, credentials, audit);
  }

  @Bean
  Tokens tokens(Database directory, Credentials credentials, Audit audit) {
    return new Tokens(directory, credentials, audit);
  }

  @Bean
  Imports imports(Cells cells, Clock clock, Settings settings) {
    return new Imports(cells, clock, settings);
  }

  @Bean
  Exports exports(Cells cells, Settings settings) {
    return new Exports(cells, settings.get(Settings.DATABASE_POOL_SIZE));
  }

  /** A bean of its own: Spring Boot serves health and metrics only if one of its type exists. */
  @Bean
  ConsoleServlet console() {
    return new ConsoleServlet();
  }

  @Bean
  ServletRegistrationBean<ConsoleServlet> consoleServlet(ConsoleServlet console) {
    return new ServletRegistrationBean<>(console, ConsoleServlet.PATH + "/*");
  }

  @Bean
  CellDirectory cellDirectory(
      Cells cells, DatabaseRoles roles, CellPasswords passwords, Audit audit) {
    return new CellDirectory(cells, roles, passwords, audit);
  }

  @Bean
  MerchantMoves merchantMoves(Cells cells, Audit audit) {
    return new MerchantMoves(cells, audit);
  }

  @Bean
  MerchantRemovals merchantRemovals(Cells cells, Audit audit) {
    return new MerchantRemovals(cells.directory(), audit);
  }

  /** The routes of the admin API; {@link AdminConfiguration} serves them on the admin port. */
  @Bean
  AdminRoutes adminRoutes(
      Cells cells,
      Merchants merchants,
      MerchantLifecycle lifecycle,
      DefaultLimits defaults,
      Applications applications,
      Tokens tokens,
      Imports imports,
      Exports exports,
      People people,
      Links links,
      SecondFactors secondFactors,
      TotpSecrets totpSecrets,
      Usage usage,
      Audit audit,
      Credentials credentials,
      CellPasswords cellPasswords,
      CellDirectory cellDirectory,
      MerchantMoves moves,
      MerchantRemovals removals,
      ServerKeys keys,
      Webhooks webhooks,
      Mails mails,
      Sandbox sandbox,
      Clock clock,
      Settings settings) {
    return new AdminRoutes(
        new MerchantRoutes(merchants, lifecycle, usage, imports, defaults, removals),
        new LimitRoutes(merchants, defaults),
        new ApplicationRoutes(applications, clock),
        new TokenRoutes(tokens, applications, merchants, clock),
        new PersonRoutes(people, links, secondFactors, merchants),
        new ServerRoutes(
            new KeyRotation(
                cells,
                keys.secret(),
                credentials,
                applications,
                connection ->
                    totpSecrets.reseal(connection)
                        + cellPasswords.reseal(connection)
                        + mails.reseal(connection),
                webhooks::reseal),
            audit),
        new ImportRoutes(imports),
        new ExportRoutes(merchants, exports, audit),
        new ProductRoutes(
            merchants, new ProductArchive(cells, settings.get(Settings.BARCODE_UNIQUE))),
        new RequestRoutes(new RequestLog(cells)),
        new CellRoutes(cellDirectory, new CellCheck(cells)),
        new MoveRoutes(moves),
        new MailRoutes(mails),
        new SandboxRoutes(sandbox, merchants));
  }

  @Bean
  ServletRegistrationBean<ApiDocsServlet> apiDocsServlet(Languages languages) {
    return servlet(new ApiDocsServlet(languages), ApiDocsServlet.PATHS.toArray(String[]::new));
  }

  @Bean
  ServletRegistrationBean<DocsServlet> docsServlet(Languages languages) {
    return servlet(new DocsServlet(languages), DocsServlet.PATHS.toArray(String[]::new));
  }

  @Bean
  ServletRegistrationBean<PicturesServlet> picturesServlet() {
    return servlet(new PicturesServlet(), ProductPicture.FOLDER + "/*");
  }

  @Bean
  @Lazy
  Demo demo(
      Cells cells,
      Merchants merchants,
      Applications applications,
      Tokens tokens,
      Imports imports,
      StockEntries entries,
      People people,
      Links links) {
    return new Demo(
        new DemoSeeder(cells, merchants, imports, entries), applications, tokens, people, links);
  }

  @Bean
  TomcatLimits tomcatBounds(
      Settings settings,
      Routes routes,
      Languages languages,
      ServletRegistrationBean<InterfaceServlet> servlet) {
    return TomcatLimits.ofInterface(
        settings.get(Settings.MAX_CONNECTIONS),
        routes,
        new OverloadResponse(
            routes, languages, Objects.requireNonNull(servlet.getServlet())::recordRejected));
  }

  static <T extends jakarta.servlet.Servlet> ServletRegistrationBean<T> servlet(
      T servlet, String... paths) {
    ServletRegistrationBean<T> registration = new ServletRegistrationBean<>(servlet, paths);
    registration.setLoadOnStartup(1);
    return registration;
  }
}
