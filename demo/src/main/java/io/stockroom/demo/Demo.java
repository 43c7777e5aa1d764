package io.stockroom.demo;

import io.stockroom.console.people.Links;
import io.stockroom.console.people.People;
import io.stockroom.core.access.Applications;
import io.stockroom.core.access.Tokens;
import io.stockroom.protocol.Scope;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Sets up the demo: the marketplace, and credentials to try it. */
public final class Demo {
  private static final String APPLICATION = "Demo ERP";

  /** Credentials of the demo's application for its first merchant. */
  public record Access(String appid, String secret, String accesstoken) {
    @Override
    public String toString() {
      return "Access[appid=" + appid + "]";
    }
  }

  private final DemoSeeder seeder;
  private final Applications applications;
  private final Tokens tokens;
  private final DemoLinks links;

  public Demo(
      DemoSeeder seeder, Applications applications, Tokens tokens, People people, Links links) {
    this.seeder = seeder;
    this.applications = applications;
    this.tokens = tokens;
    this.links = new DemoLinks(people, links);
  }

  /** The path of a one-time console link for a person of this merchant. */
  public String merchantLink(int merchantId) throws SQLException {
    return links.merchant(merchantId);
  }

  /** The path of a one-time console link for an operator. */
  public String operatorLink() throws SQLException {
    return links.operator();
  }

  public List<DemoSeeder.Seeded> seed(String baseUrl) throws SQLException, IOException {
    return seeder.seed(baseUrl);
  }

  public Access newAccess(int merchantId) throws SQLException {
    Applications.WithSecret application = applications.create(APPLICATION, DemoSeeder.DEMO);
    String appid = application.application().appid();
    String token =
        tokens.issue(
            appid, merchantId, "demo-shop", List.of(Scope.values()), null, DemoSeeder.DEMO);
    if (token == null) {
      throw new IllegalStateException("the new application is missing");
    }
    return new Access(appid, application.secret(), token);
  }
}
