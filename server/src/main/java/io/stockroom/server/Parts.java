package io.stockroom.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.protocol.Scope;
import io.stockroom.server.access.Applications;
import io.stockroom.server.access.Credentials;
import io.stockroom.server.access.Gate;
import io.stockroom.server.access.SecretBox;
import io.stockroom.server.access.Tokens;
import io.stockroom.server.admin.AdminRoutes;
import io.stockroom.server.admin.AdminServlet;
import io.stockroom.server.admin.Merchants;
import io.stockroom.server.catalogue.ProductDetail;
import io.stockroom.server.catalogue.ProductList;
import io.stockroom.server.catalogue.Products;
import io.stockroom.server.database.Database;
import io.stockroom.server.database.DatabaseAddress;
import io.stockroom.server.database.Migrations;
import io.stockroom.server.demo.Demo;
import io.stockroom.server.demo.DemoSeeder;
import io.stockroom.server.http.InterfaceServlet;
import io.stockroom.server.http.JsonErrorValve;
import io.stockroom.server.http.Languages;
import io.stockroom.server.http.Pipeline;
import io.stockroom.server.http.Route;
import io.stockroom.server.http.Routes;
import io.stockroom.server.imports.ProductImport;
import io.stockroom.server.limits.CreatePace;
import io.stockroom.server.pictures.PicturesServlet;
import io.stockroom.server.pictures.ProductPicture;
import io.stockroom.server.settings.Settings;
import io.stockroom.server.stock.CreateStock;
import io.stockroom.server.stock.StockEntries;
import io.stockroom.server.stock.StockList;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Builds every part of the server, in order: the table of contents. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Parts {
  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  Languages languages(Settings settings) {
    return new Languages(settings.get(Settings.LANGUAGE));
  }

  @Bean
  Database database(DatabaseAddress address, Settings settings, MeterRegistry meters)
      throws SQLException {
    Database database = new Database(address, settings.get(Settings.DATABASE_POOL_SIZE), meters);
    Migrations.run(database);
    return database;
  }

  @Bean
  DatabaseHealth databaseHealthIndicator(Database database) {
    return new DatabaseHealth(database);
  }

  @Bean
  Credentials credentials(Database database, Keys keys) {
    return new Credentials(database, new SecretBox(keys.secret()));
  }

  @Bean
  CreatePace createPace(Database database, Settings settings) {
    return new CreatePace(database, settings.get(Settings.CREATE_INTERVAL));
  }

  @Bean
  Housekeeping housekeeping(CreatePace pace, Settings settings) {
    return new Housekeeping(() -> pace.forgetOldReplies(settings.get(Settings.TIMESTAMP_WINDOW)));
  }

  @Bean
  StockEntries stockEntries(Database database, Clock clock, Settings settings) {
    return new StockEntries(database, clock, settings.get(Settings.BARCODE_UNIQUE), Products.BLOCK);
  }

  /** The whole interface. */
  @Bean
  Routes routes(Database database, StockEntries entries, CreatePace pace, Settings settings) {
    Products products = new Products(database);
    return new Routes(
        List.of(
            new Route<>(
                "/Stock/Product",
                Scope.PRODUCT_READ,
                new ProductList(products, settings.get(Settings.PAGE_SIZE))),
            new Route<>("/Stock/List", Scope.STOCK_READ, new StockList(entries)),
            new Route<>(
                "/Stock/Creat",
                Scope.STOCK_WRITE,
                new CreateStock(entries, pace, settings.get(Settings.CREATE_ELEMENTS))),
            new Route<>("/Product/Detail", Scope.DETAIL_READ, new ProductDetail(products))));
  }

  @Bean
  ServletRegistrationBean<InterfaceServlet> interfaceServlet(
      Routes routes,
      Credentials credentials,
      Clock clock,
      Settings settings,
      Languages languages,
      MeterRegistry meters) {
    Gate gate = new Gate(credentials, clock, settings.get(Settings.TIMESTAMP_WINDOW));
    Pipeline pipeline = new Pipeline(routes, gate, languages, meters);
    return servlet(new InterfaceServlet(pipeline), "/");
  }

  @Bean
  Merchants merchants(Database database) {
    return new Merchants(database);
  }

  @Bean
  Applications applications(Database database, Credentials credentials) {
    return new Applications(database, credentials);
  }

  @Bean
  Tokens tokens(Database database, Credentials credentials) {
    return new Tokens(database, credentials);
  }

  @Bean
  ProductImport productImport(Database database) {
    return new ProductImport(database);
  }

  @Bean
  ServletRegistrationBean<AdminServlet> adminServlet(
      Merchants merchants,
      Applications applications,
      Tokens tokens,
      ProductImport products,
      Clock clock,
      Keys keys,
      Languages languages) {
    AdminRoutes routes = new AdminRoutes(merchants, applications, tokens, products, clock);
    return servlet(new AdminServlet(routes, keys.operator(), languages), "/admin/*");
  }

  @Bean
  ServletRegistrationBean<PicturesServlet> picturesServlet() {
    return servlet(new PicturesServlet(), ProductPicture.FOLDER + "/*");
  }

  @Bean
  @Lazy
  Demo demo(
      Database database,
      Merchants merchants,
      Applications applications,
      Tokens tokens,
      ProductImport products,
      StockEntries entries) {
    return new Demo(new DemoSeeder(database, merchants, products, entries), applications, tokens);
  }

  /** Bounds what a connection may send, and answers what Tomcat itself refuses in our words. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcat() {
    return factory -> {
      factory.addContextCustomizers(
          context -> {
            if (context.getParent() instanceof StandardHost host) {
              host.setErrorReportValveClass(JsonErrorValve.class.getName());
            }
          });
      factory.addConnectorCustomizers(
          connector -> {
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
              http.setMaxHeaderCount(64);
            }
          });
    };
  }

  private static <T extends jakarta.servlet.Servlet> ServletRegistrationBean<T> servlet(
      T servlet, String path) {
    ServletRegistrationBean<T> registration = new ServletRegistrationBean<>(servlet, path);
    registration.setLoadOnStartup(1);
    return registration;
  }
}
