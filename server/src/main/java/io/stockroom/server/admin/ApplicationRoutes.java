package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.access.Applications;
import io.stockroom.core.access.Signing;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.settings.Network;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Routes for applications and their secrets. */
public final class ApplicationRoutes {
  private static final String DEFAULT_GRACE = "P7D";

  private final Applications applications;
  private final Clock clock;

  public ApplicationRoutes(Applications applications, Clock clock) {
    this.applications = applications;
    this.clock = clock;
  }

  Answer create(AdminRequest request) throws SQLException, IOException {
    String name = request.name(request.body(), "name");
    if (name == null) {
      return request.rejection();
    }
    return AdminResponse.created(shown(applications.create(name, request.actor())));
  }

  Answer list(AdminRequest request) throws SQLException {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    applications.all().forEach(application -> list.add(shown(application)));
    return AdminResponse.ok(fields("applications", list));
  }

  Answer show(AdminRequest request) throws SQLException {
    String appid = request.part("appid");
    Applications.Application application = applications.find(appid);
    return application == null ? missing(appid) : AdminResponse.ok(shown(application));
  }

  Answer change(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    String appid = request.part("appid");
    String name = body.has("name") ? request.name(body, "name") : null;
    Signing.Change signing =
        new Signing.Change(
            bool(request, body, "requireHmac"),
            bool(request, body, "requireNonce"),
            bool(request, body, "restrictMd5"));
    Boolean stopped = bool(request, body, "stopped");
    List<String> addresses = addresses(request, body.get("addresses"));
    if (request.problems().any()) {
      return request.rejection();
    }
    Applications.Application changed = applications.find(appid);
    if (changed != null && name != null) {
      changed = applications.rename(appid, name, request.actor());
    }
    boolean nothingElse = stopped == null && name == null;
    if (changed != null && (!signing.isNone() || addresses != null || nothingElse)) {
      changed = applications.change(appid, signing, addresses, request.actor());
    }
    if (changed != null && stopped != null) {
      changed = applications.setStopped(appid, stopped, request.actor());
    }
    return changed == null ? missing(appid) : AdminResponse.ok(shown(changed));
  }

  Answer rotate(AdminRequest request) throws SQLException, IOException {
    String appid = request.part("appid");
    String given = request.text(request.body(), "grace", false);
    String grace = given == null ? DEFAULT_GRACE : given;
    Instant now = clock.instant();
    Instant until = grace.equals("PT0S") || grace.equals("P0D") ? now : Expiry.after(now, grace);
    if (until == null) {
      request.problems().add("grace", ErrorCode.TEXT_FORMAT, grace, Expiry.EXPECTED + ", or PT0S");
      return request.rejection();
    }
    Applications.WithSecret rotated = applications.rotate(appid, until, request.actor());
    return rotated == null ? missing(appid) : AdminResponse.ok(shown(rotated));
  }

  private static @Nullable Boolean bool(AdminRequest request, JsonNode body, String name) {
    JsonNode given = body.get(name);
    if (given != null && !given.isBoolean()) {
      request.problems().add(name, ErrorCode.BOOLEAN_FORMAT, given);
    }
    return given == null ? null : given.booleanValue(false);
  }

  private static @Nullable List<String> addresses(AdminRequest request, @Nullable JsonNode given) {
    if (given == null) {
      return null;
    }
    if (!given.isArray()) {
      request.problems().add("addresses", ErrorCode.FIELD_TYPE, given.getNodeType(), "an array");
      return null;
    }
    List<String> addresses = new ArrayList<>();
    for (JsonNode address : given) {
      try {
        addresses.add(Network.parse(AdminRequest.plain(address)).toString());
      } catch (IllegalArgumentException impossible) {
        request
            .problems()
            .add(
                "addresses[" + addresses.size() + "]",
                ErrorCode.TEXT_FORMAT,
                AdminRequest.plain(address),
                "an address or a network such as 192.0.2.7 or 10.0.0.0/8");
      }
    }
    return addresses;
  }

  private static Answer missing(String appid) {
    return Rejection.of("appid", ErrorCode.APPLICATION_MISSING, appid);
  }

  private static Map<String, @Nullable Object> shown(Applications.WithSecret created) {
    Map<String, @Nullable Object> shown = fields("appid", created.application().appid());
    shown.put("secret", created.secret());
    shown.putAll(shown(created.application()));
    return shown;
  }

  private static Map<String, @Nullable Object> shown(Applications.Application application) {
    return fields(
        "appid", application.appid(),
        "name", application.name(),
        "createdAt", application.createdAt(),
        "requireHmac", application.signing().requireHmac(),
        "requireNonce", application.signing().requireNonce(),
        "restrictMd5", application.signing().restrictMd5(),
        "addresses", application.addresses(),
        "previousSecretUntil", application.previousSecretUntil(),
        "stoppedAt", application.stoppedAt());
  }
}
