package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminAnswer.fields;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Text;
import io.stockroom.server.access.Applications;
import io.stockroom.server.access.Credentials;
import io.stockroom.server.access.Tokens;
import io.stockroom.server.admin.AdminServlet.Route;
import io.stockroom.server.http.Answer;
import io.stockroom.server.http.Parameters;
import io.stockroom.server.http.Refused;
import io.stockroom.server.imports.ImportResult;
import io.stockroom.server.imports.ProductImport;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Everything an operator can ask for over HTTP. */
public final class AdminRoutes {
  private static final int NAME_CHARACTERS = 100;

  private final Merchants merchants;
  private final Applications applications;
  private final Tokens tokens;
  private final ProductImport products;
  private final Clock clock;

  public AdminRoutes(
      Merchants merchants,
      Applications applications,
      Tokens tokens,
      ProductImport products,
      Clock clock) {
    this.merchants = merchants;
    this.applications = applications;
    this.tokens = tokens;
    this.products = products;
    this.clock = clock;
  }

  List<Route> all() {
    return List.of(
        new Route("POST", "/admin/merchants", this::createMerchant),
        new Route("GET", "/admin/merchants", this::listMerchants),
        new Route("POST", "/admin/merchants/{merchant}/products", this::importProducts),
        new Route("POST", "/admin/applications", this::createApplication),
        new Route("GET", "/admin/applications", this::listApplications),
        new Route("POST", "/admin/tokens", this::issueToken),
        new Route("GET", "/admin/tokens", this::listTokens),
        new Route("POST", "/admin/tokens/revoke", this::revokeToken));
  }

  private Answer createMerchant(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    String name = name(request, body, "name");
    String storeUrl = name(request, body, "storeUrl");
    String storeName = name(request, body, "storeName");
    if (name == null || storeUrl == null || storeName == null) {
      return request.problems().refused();
    }
    int merchantId = merchants.create(name, storeUrl, storeName);
    return AdminAnswer.created(
        fields(
            "merchantId", merchantId, "name", name, "storeUrl", storeUrl, "storeName", storeName));
  }

  private Answer listMerchants(AdminRequest request) throws SQLException {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (Merchants.Merchant merchant : merchants.all()) {
      list.add(
          fields(
              "merchantId", merchant.merchantId(),
              "name", merchant.name(),
              "storeUrl", merchant.storeUrl(),
              "storeName", merchant.storeName(),
              "products", merchant.products(),
              "productsWithStock", merchant.productsWithStock(),
              "createdAt", merchant.createdAt()));
    }
    return AdminAnswer.ok(fields("merchants", list));
  }

  private Answer importProducts(AdminRequest request) throws SQLException, IOException {
    int merchantId = request.id("merchant");
    if (request.problems().any()) {
      return request.problems().refused();
    }
    boolean skipBad = "true".equals(request.query("skipBad"));
    ImportResult result = products.run(merchantId, request.stream(), skipBad);
    if (result == null) {
      return Refused.of("merchant", ErrorCode.MERCHANT_MISSING, merchantId);
    }
    List<Map<String, @Nullable Object>> errors = new ArrayList<>();
    for (ImportResult.BadLine bad : result.errors()) {
      errors.add(
          fields("line", bad.line(), "at", bad.at(), "code", bad.code(), "msg", bad.message()));
    }
    return AdminAnswer.ok(
        fields(
            "created", result.created(),
            "changed", result.changed(),
            "unchanged", result.unchanged(),
            "failed", result.failed(),
            "applied", result.applied(),
            "ignored", result.ignored(),
            "errors", errors));
  }

  private Answer createApplication(AdminRequest request) throws SQLException, IOException {
    String name = name(request, request.body(), "name");
    if (name == null) {
      return request.problems().refused();
    }
    Applications.Created created = applications.create(name);
    return AdminAnswer.created(
        fields(
            "appid", created.application().appid(),
            "secret", created.secret(),
            "name", created.application().name(),
            "createdAt", created.application().createdAt()));
  }

  private Answer listApplications(AdminRequest request) throws SQLException {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (Applications.Application application : applications.all()) {
      list.add(
          fields(
              "appid", application.appid(),
              "name", application.name(),
              "createdAt", application.createdAt()));
    }
    return AdminAnswer.ok(fields("applications", list));
  }

  private Answer issueToken(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    String appid = request.text(body, "appid", true);
    JsonNode merchant = body.get("merchantId");
    int merchantId = 0;
    if (merchant == null) {
      request.problems().add("merchantId", ErrorCode.FIELD_MISSING, "merchantId");
    } else {
      merchantId = Parameters.positive("merchantId", plain(merchant), request.problems());
    }
    String store = request.text(body, "boundStore", false);
    String boundStore =
        store == null
            ? ""
            : request.problems().check("boundStore", () -> Text.line(store, NAME_CHARACTERS));
    List<Scope> scopes = scopes(request, body);
    Instant expiresAt = expiry(request, body);
    if (request.problems().any() || appid == null || boundStore == null) {
      return request.problems().refused();
    }
    if (!merchants.exists(merchantId)) {
      return Refused.of("merchantId", ErrorCode.MERCHANT_MISSING, merchantId);
    }
    String token = tokens.issue(appid, merchantId, boundStore, scopes, expiresAt);
    if (token == null) {
      return Refused.of("appid", ErrorCode.APPLICATION_MISSING, appid);
    }
    return AdminAnswer.created(
        fields(
            "accesstoken", token,
            "prefix", Credentials.visible(token),
            "appid", appid,
            "merchantId", merchantId,
            "boundStore", boundStore,
            "scopes", scopes.stream().map(Scope::word).toList(),
            "expiresAt", expiresAt));
  }

  private Answer listTokens(AdminRequest request) throws SQLException {
    String merchant = request.query("merchant");
    Integer merchantId =
        merchant == null ? null : Parameters.positive("merchant", merchant, request.problems());
    if (request.problems().any()) {
      return request.problems().refused();
    }
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (Tokens.Token token : tokens.all(merchantId, request.query("app"))) {
      list.add(shown(token));
    }
    return AdminAnswer.ok(fields("tokens", list));
  }

  private Answer revokeToken(AdminRequest request) throws SQLException, IOException {
    String text = request.text(request.body(), "token", true);
    if (text == null || text.isBlank()) {
      request.problems().add("token", ErrorCode.TEXT_EMPTY);
      return request.problems().refused();
    }
    Tokens.Revocation revocation = tokens.revoke(text.strip());
    Tokens.Token token = revocation.token();
    if (token != null) {
      return AdminAnswer.ok(shown(token));
    }
    String visible = Credentials.visible(text.strip());
    return revocation.matching() == 0
        ? Refused.of("token", ErrorCode.TOKEN_MISSING, visible)
        : Refused.of("token", ErrorCode.TOKEN_AMBIGUOUS, visible, revocation.matching());
  }

  private static Map<String, @Nullable Object> shown(Tokens.Token token) {
    return fields(
        "prefix", token.prefix(),
        "appid", token.appid(),
        "merchantId", token.merchantId(),
        "boundStore", token.boundStore(),
        "scopes", token.scopes(),
        "createdAt", token.createdAt(),
        "expiresAt", token.expiresAt(),
        "revokedAt", token.revokedAt());
  }

  private static @Nullable String name(AdminRequest request, JsonNode body, String field) {
    String text = request.text(body, field, true);
    return text == null
        ? null
        : request.problems().check(field, () -> Text.name(text, NAME_CHARACTERS));
  }

  private static List<Scope> scopes(AdminRequest request, JsonNode body) {
    JsonNode given = body.get("scopes");
    if (given != null && !given.isNull() && !given.isArray()) {
      request.problems().add("scopes", ErrorCode.FIELD_TYPE, given.getNodeType(), "an array");
      return List.of();
    }
    if (given == null || given.isEmpty()) {
      return List.of(Scope.values());
    }
    List<Scope> scopes = new ArrayList<>();
    int place = 0;
    for (JsonNode word : given) {
      String at = "scopes[" + place++ + "]";
      Scope.of(plain(word))
          .ifPresentOrElse(
              scopes::add,
              () ->
                  request
                      .problems()
                      .add(
                          at,
                          ErrorCode.TEXT_FORMAT,
                          plain(word),
                          Arrays.stream(Scope.values())
                              .map(Scope::word)
                              .collect(Collectors.joining(", "))));
    }
    return scopes;
  }

  /** What was sent, as a text that a message can show. */
  private static String plain(JsonNode value) {
    return value.isString() ? value.stringValue() : value.toString();
  }

  /** An ISO period or duration from now on, such as P90D; none: the token does not expire. */
  private @Nullable Instant expiry(AdminRequest request, JsonNode body) {
    String text = request.text(body, "expires", false);
    if (text == null || text.isBlank()) {
      return null;
    }
    Instant expiresAt = Expiry.after(clock.instant(), text);
    if (expiresAt == null) {
      request
          .problems()
          .add(
              "expires",
              ErrorCode.TEXT_FORMAT,
              text,
              "P90D (90 days), P3M (three months) or PT12H (twelve hours), at least PT1S");
    }
    return expiresAt;
  }
}
