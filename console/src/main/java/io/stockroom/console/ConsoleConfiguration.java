package io.stockroom.console;

import io.stockroom.console.account.AccountPages;
import io.stockroom.console.account.LinkPages;
import io.stockroom.console.account.SecondFactorPages;
import io.stockroom.console.account.SignInPages;
import io.stockroom.console.applications.ApplicationPages;
import io.stockroom.console.applications.TokenPages;
import io.stockroom.console.applications.VisibleApplications;
import io.stockroom.console.explorer.CheckPages;
import io.stockroom.console.explorer.ExplorerMessages;
import io.stockroom.console.explorer.ExplorerPages;
import io.stockroom.console.explorer.ExplorerTokens;
import io.stockroom.console.explorer.LoopbackClient;
import io.stockroom.console.explorer.RecordedRequests;
import io.stockroom.console.explorer.SendPages;
import io.stockroom.console.imports.ExportPages;
import io.stockroom.console.imports.ImportPages;
import io.stockroom.console.imports.UploadPages;
import io.stockroom.console.operator.PeoplePages;
import io.stockroom.console.people.Links;
import io.stockroom.console.people.MailedLinks;
import io.stockroom.console.people.MerchantViews;
import io.stockroom.console.people.People;
import io.stockroom.console.people.PeopleDirectory;
import io.stockroom.console.people.PreferenceStore;
import io.stockroom.console.people.SecondFactors;
import io.stockroom.console.people.Sessions;
import io.stockroom.console.people.SignIn;
import io.stockroom.console.traffic.HealthPages;
import io.stockroom.console.traffic.RequestPages;
import io.stockroom.console.traffic.UsagePages;
import io.stockroom.console.visit.AssetFiles;
import io.stockroom.console.visit.Assets;
import io.stockroom.console.visit.ConsoleAuthInterceptor;
import io.stockroom.console.visit.ConsoleExceptionHandler;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.Cookies;
import io.stockroom.console.visit.NotFoundPages;
import io.stockroom.console.visit.PageLimitInterceptor;
import io.stockroom.console.visit.Preferences;
import io.stockroom.core.access.ApplicationOverview;
import io.stockroom.core.access.Applications;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.StoredSecrets;
import io.stockroom.core.access.TokenLives;
import io.stockroom.core.access.Tokens;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.database.Cells;
import io.stockroom.core.http.Addresses;
import io.stockroom.core.http.Languages;
import io.stockroom.core.http.Routes;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.publish.PublishResults;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.traffic.Histories;
import io.stockroom.core.traffic.Nodes;
import io.stockroom.core.traffic.RequestLog;
import io.stockroom.files.export.Exports;
import io.stockroom.files.imports.Imports;
import io.stockroom.pictures.Pictures;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.ResourceBundleMessageSource;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.AbstractLocaleResolver;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/**
 * Wires the console: every page is a bean here. The stores come from the server, see {@link
 * ConsoleServlet}.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebMvc
@Import({
  CatalogueConfiguration.class,
  MailConfiguration.class,
  OperatorConfiguration.class,
  StockConfiguration.class
})
class ConsoleConfiguration {
  @Bean
  SignInPages signInPages(
      SignIn signIn,
      Sessions sessions,
      MerchantViews views,
      Cookies cookies,
      MailedLinks mailedLinks) {
    return new SignInPages(signIn, sessions, views, cookies, mailedLinks);
  }

  @Bean
  LinkPages linkPages(Links links, People people, Cookies cookies) {
    return new LinkPages(links, people, cookies);
  }

  @Bean
  PreferenceStore preferenceStore(Cells cells) {
    return new PreferenceStore(cells.directory());
  }

  @Bean
  AccountPages accountPages(
      People people, Sessions sessions, Cookies cookies, PreferenceStore preferences) {
    return new AccountPages(people, sessions, cookies, preferences);
  }

  @Bean
  SecondFactorPages secondFactorPages(SecondFactors secondFactors, Settings settings) {
    return new SecondFactorPages(secondFactors, settings.get(Settings.REQUIRE_SECOND_FACTOR));
  }

  @Bean
  VisibleApplications shownApplications(Applications applications, Cells cells) {
    return new VisibleApplications(applications, new ApplicationOverview(cells.directory()));
  }

  @Bean
  TokenLives tokenLives(Cells cells, Credentials credentials, Audit audit) {
    return new TokenLives(cells.directory(), credentials, audit);
  }

  @Bean
  ApplicationPages applicationPages(
      VisibleApplications shown, Applications applications, Tokens tokens, Clock clock) {
    return new ApplicationPages(shown, applications, tokens, clock);
  }

  @Bean
  TokenPages tokenPages(
      VisibleApplications shown,
      Tokens tokens,
      TokenLives lives,
      Merchants merchants,
      Clock clock) {
    return new TokenPages(shown, tokens, lives, merchants, clock);
  }

  @Bean
  RecordedRequests recordedRequests(Cells cells) {
    return new RecordedRequests(new RequestLog(cells));
  }

  @Bean
  ExplorerPages explorerPages(
      VisibleApplications shown,
      Merchants merchants,
      MerchantProducts products,
      RecordedRequests recorded,
      MessageSource messageSource) {
    return new ExplorerPages(
        shown, merchants, products, recorded, new ExplorerMessages(messageSource));
  }

  @Bean
  LoopbackClient ownCalls() {
    return new LoopbackClient();
  }

  @Bean
  SendPages sendPages(
      VisibleApplications shown,
      Cells cells,
      Credentials credentials,
      Tokens tokens,
      Merchants merchants,
      LoopbackClient calls,
      Clock clock,
      Settings settings) {
    return new SendPages(
        shown,
        new StoredSecrets(cells.directory(), credentials),
        new ExplorerTokens(tokens, clock),
        merchants,
        calls,
        clock,
        settings.get(Settings.TRUSTED_PROXIES));
  }

  @Bean
  CheckPages checkPages(
      VisibleApplications shown,
      Cells cells,
      Credentials credentials,
      Tokens tokens,
      MerchantDirectory merchants,
      Clock clock,
      Settings settings) {
    return new CheckPages(
        shown,
        new StoredSecrets(cells.directory(), credentials),
        tokens,
        merchants,
        clock,
        settings.get(Settings.TIMESTAMP_WINDOW));
  }

  @Bean
  UsagePages usagePages(
      Cells cells,
      Usage usage,
      Merchants merchants,
      Audit audit,
      IdempotentReplies replies,
      Histories histories,
      Imports imports,
      DefaultLimits defaults,
      Clock clock,
      MessageSource messageSource) {
    PublishResults results = new PublishResults(cells, audit, replies);
    return new UsagePages(
        usage, merchants, results, histories, imports, defaults, clock, messageSource);
  }

  @Bean
  RequestPages requestPages(Cells cells, Histories histories, Routes routes, Settings settings) {
    return new RequestPages(new RequestLog(cells), histories, routes, settings);
  }

  @Bean
  HealthPages healthPages(
      Cells cells, Histories histories, Addresses addresses, MessageSource messageSource) {
    return new HealthPages(cells, new Nodes(cells), histories, addresses, messageSource);
  }

  @Bean
  Histories histories(Cells cells, Clock clock) {
    return new Histories(cells, clock);
  }

  @Bean
  PeoplePages peoplePages(
      People people,
      Links links,
      MailedLinks mailedLinks,
      SecondFactors secondFactors,
      MerchantDirectory merchants,
      Cells cells,
      Settings settings,
      MessageSource messageSource) {
    PeopleDirectory directory =
        new PeopleDirectory(
            cells.directory(),
            settings.get(Settings.SESSION_IDLE),
            settings.get(Settings.SESSION_LONGEST));
    return new PeoplePages(
        people, directory, links, mailedLinks, secondFactors, merchants, messageSource);
  }

  @Bean
  UploadPages uploadPages(Imports imports, MerchantDirectory merchants) {
    return new UploadPages(imports, merchants);
  }

  @Bean
  ImportPages importPages(Imports imports, Merchants merchants, Clock clock) {
    return new ImportPages(imports, merchants, clock);
  }

  @Bean
  ExportPages exportPages(Exports exports, MerchantProducts products, Audit audit) {
    return new ExportPages(exports, products, audit);
  }

  @Bean
  Preferences preferences(Cookies cookies, PreferenceStore store) {
    return new Preferences(cookies, store);
  }

  @Bean
  AssetFiles assetFiles(Assets assets) {
    return new AssetFiles(assets);
  }

  @Bean
  NotFoundPages unknownPages() {
    return new NotFoundPages();
  }

  @Bean
  ConsoleExceptionHandler failures(MessageSource messageSource) {
    return new ConsoleExceptionHandler(messageSource);
  }

  @Bean
  Assets assets() {
    return new Assets();
  }

  @Bean
  Cookies cookies(Settings settings) {
    return new Cookies(settings.get(Settings.BASE_URL));
  }

  @Bean
  ConsoleRequest.Factory visits(
      Languages languages,
      Addresses addresses,
      Assets assets,
      Cookies cookies,
      Pictures pictures,
      Settings settings,
      Clock clock) {
    return new ConsoleRequest.Factory(
        languages, addresses, assets, cookies, pictures, settings, clock);
  }

  @Bean
  WebMvcConfigurer interceptors(
      Sessions sessions, Cookies cookies, ConcurrencyLimits limits, Settings settings) {
    ConsoleAuthInterceptor authentication =
        new ConsoleAuthInterceptor(
            sessions,
            limits.of(CallKind.SESSION),
            cookies,
            settings.get(Settings.BASE_URL),
            settings.get(Settings.REQUIRE_SECOND_FACTOR));
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(authentication);
        registry.addInterceptor(new PageLimitInterceptor(limits));
      }
    };
  }

  @Bean
  MessageSource messageSource() {
    ResourceBundleMessageSource messages = new ResourceBundleMessageSource();
    messages.setBasename("console/console");
    messages.setDefaultEncoding(StandardCharsets.UTF_8.name());
    messages.setFallbackToSystemLocale(false);
    messages.setAlwaysUseMessageFormat(true);
    return messages;
  }

  @Bean
  LocaleResolver localeResolver() {
    return new AbstractLocaleResolver() {
      @Override
      public Locale resolveLocale(HttpServletRequest request) {
        return Locale.of(ConsoleRequest.of(request).language().tag());
      }

      @Override
      public void setLocale(
          HttpServletRequest request,
          @Nullable HttpServletResponse response,
          @Nullable Locale locale) {
        throw new UnsupportedOperationException("the visit decides");
      }
    };
  }

  @Bean
  ThymeleafViewResolver viewResolver(MessageSource messageSource) {
    ClassLoaderTemplateResolver templates = new ClassLoaderTemplateResolver();
    templates.setPrefix("console/");
    templates.setSuffix(".html");
    templates.setTemplateMode(TemplateMode.HTML);
    templates.setCharacterEncoding(StandardCharsets.UTF_8.name());
    SpringTemplateEngine engine = new SpringTemplateEngine();
    engine.setTemplateResolver(templates);
    engine.setMessageSource(messageSource);
    ThymeleafViewResolver resolver = new ThymeleafViewResolver();
    resolver.setTemplateEngine(engine);
    resolver.setCharacterEncoding(StandardCharsets.UTF_8.name());
    return resolver;
  }
}
