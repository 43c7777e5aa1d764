package io.stockroom.server.admin;

import io.stockroom.core.admission.CallKind;
import io.stockroom.server.admin.AdminServlet.Route;
import java.util.List;
import java.util.stream.Stream;

/** The routes of the admin API. */
public final class AdminRoutes {
  private final List<Route> all;

  public AdminRoutes(
      MerchantRoutes merchants,
      LimitRoutes limits,
      ApplicationRoutes applications,
      TokenRoutes tokens,
      PersonRoutes people,
      ServerRoutes server,
      ImportRoutes imports,
      ExportRoutes exports,
      ProductRoutes products,
      RequestRoutes requests,
      CellRoutes cells,
      MoveRoutes moves,
      MailRoutes mail,
      PictureRoutes pictures,
      SandboxRoutes sandbox) {
    List<Route> always =
        List.of(
            new Route("POST", "/admin/merchants", merchants::create),
            new Route("GET", "/admin/merchants", merchants::list),
            new Route("GET", "/admin/merchants/{merchant}", merchants::show),
            new Route("PATCH", "/admin/merchants/{merchant}", merchants::rename),
            new Route("POST", "/admin/merchants/{merchant}/suspend", merchants::suspend),
            new Route("POST", "/admin/merchants/{merchant}/resume", merchants::resume),
            new Route("POST", "/admin/merchants/{merchant}/close", merchants::close),
            new Route("POST", "/admin/merchants/{merchant}/remove", merchants::remove),
            new Route("PUT", "/admin/merchants/{merchant}/limits", limits::setOfMerchant),
            new Route("GET", "/admin/limits", limits::showDefaults),
            new Route("PUT", "/admin/limits", limits::setDefaults),
            new Route("GET", "/admin/merchants/{merchant}/usage", merchants::usage),
            new Route("GET", "/admin/imports", imports::list),
            new Route(
                "POST", "/admin/merchants/{merchant}/imports", imports::submit, CallKind.UPLOAD),
            new Route("GET", "/admin/merchants/{merchant}/imports/{import}", imports::show),
            new Route("POST", "/admin/merchants/{merchant}/imports/{import}/plan", imports::plan),
            new Route("POST", "/admin/merchants/{merchant}/imports/{import}/apply", imports::apply),
            new Route(
                "POST", "/admin/merchants/{merchant}/imports/{import}/cancel", imports::cancel),
            new Route("POST", "/admin/merchants/{merchant}/imports/{import}/undo", imports::undo),
            new Route(
                "GET", "/admin/merchants/{merchant}/imports/{import}/rejected", imports::rejected),
            new Route("GET", "/admin/merchants/{merchant}/products/export", exports::products),
            new Route("POST", "/admin/merchants/{merchant}/products/archive", products::archive),
            new Route("POST", "/admin/merchants/{merchant}/products/restore", products::restore),
            new Route("POST", "/admin/applications", applications::create),
            new Route("GET", "/admin/applications", applications::list),
            new Route("GET", "/admin/applications/{appid}", applications::show),
            new Route("PATCH", "/admin/applications/{appid}", applications::change),
            new Route("POST", "/admin/applications/{appid}/rotate", applications::rotate),
            new Route("POST", "/admin/tokens", tokens::issue),
            new Route("GET", "/admin/tokens", tokens::list),
            new Route("POST", "/admin/tokens/revoke", tokens::revoke),
            new Route("POST", "/admin/tokens/review", tokens::review),
            new Route("POST", "/admin/people", people::add),
            new Route("GET", "/admin/people", people::list),
            new Route("POST", "/admin/people/{email}/reset", people::reset),
            new Route(
                "POST", "/admin/people/{email}/reset-second-factor", people::resetSecondFactor),
            new Route("DELETE", "/admin/people/{email}", people::remove),
            new Route("POST", "/admin/mail/test", mail::test),
            new Route("POST", "/admin/pictures/move", pictures::move),
            new Route("POST", "/admin/keys/rotate", server::rotateKey),
            new Route("GET", "/admin/cells", cells::list),
            new Route("POST", "/admin/cells", cells::add),
            new Route("PATCH", "/admin/cells/{cell}", cells::update),
            new Route("DELETE", "/admin/cells/{cell}", cells::remove),
            new Route("POST", "/admin/cells/{cell}/drain", moves::drain),
            new Route("DELETE", "/admin/cells/{cell}/drain", moves::activate),
            new Route("GET", "/admin/moves", moves::list),
            new Route("GET", "/admin/merchants/{merchant}/move", moves::show),
            new Route("POST", "/admin/merchants/{merchant}/move", moves::request),
            new Route("DELETE", "/admin/merchants/{merchant}/move", moves::cancel),
            new Route("POST", "/admin/cells/check", cells::check),
            new Route("GET", "/admin/requests", requests::list),
            new Route("GET", "/admin/audit", server::audit),
            new Route("POST", "/admin/audit/verify", server::verifyAudit));
    all = Stream.concat(always.stream(), sandbox.all().stream()).toList();
  }

  /** Every method and path, such as {@code GET /admin/merchants/{merchant}}. */
  public List<String> addresses() {
    return all.stream().map(route -> route.method() + " " + route.path()).toList();
  }

  List<Route> all() {
    return all;
  }
}
