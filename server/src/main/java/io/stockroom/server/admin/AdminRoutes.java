package io.stockroom.server.admin;

import io.stockroom.server.admin.AdminServlet.Route;
import java.util.List;

/** Everything an operator can ask for over HTTP. */
public final class AdminRoutes {
  private final List<Route> all;

  public AdminRoutes(
      MerchantRoutes merchants,
      ApplicationRoutes applications,
      TokenRoutes tokens,
      PersonRoutes people,
      ServerRoutes server) {
    all =
        List.of(
            new Route("POST", "/admin/merchants", merchants::create),
            new Route("GET", "/admin/merchants", merchants::list),
            new Route("GET", "/admin/merchants/{merchant}", merchants::show),
            new Route("PUT", "/admin/merchants/{merchant}/limits", merchants::setLimits),
            new Route("GET", "/admin/merchants/{merchant}/usage", merchants::usage),
            new Route("POST", "/admin/merchants/{merchant}/products", merchants::importProducts),
            new Route("POST", "/admin/applications", applications::create),
            new Route("GET", "/admin/applications", applications::list),
            new Route("GET", "/admin/applications/{appid}", applications::show),
            new Route("PATCH", "/admin/applications/{appid}", applications::change),
            new Route("POST", "/admin/applications/{appid}/rotate", applications::rotate),
            new Route("POST", "/admin/tokens", tokens::issue),
            new Route("GET", "/admin/tokens", tokens::list),
            new Route("POST", "/admin/tokens/revoke", tokens::revoke),
            new Route("POST", "/admin/people", people::add),
            new Route("GET", "/admin/people", people::list),
            new Route("POST", "/admin/people/{email}/reset", people::reset),
            new Route("DELETE", "/admin/people/{email}", people::remove),
            new Route("POST", "/admin/keys/rotate", server::rotateKey),
            new Route("GET", "/admin/audit", server::audit),
            new Route("POST", "/admin/audit/verify", server::verifyAudit));
  }

  List<Route> all() {
    return all;
  }
}
