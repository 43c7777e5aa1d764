package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.access.Applications;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.Tokens;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Text;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Routes for access tokens: issue, list, review after a restore, revoke. */
public final class TokenRoutes {
  private static final int STORE_CHARACTERS = 100;
  private static final String SCOPES =
      Arrays.stream(Scope.values()).map(Scope::word).collect(Collectors.joining(", "));

  private final Tokens tokens;
  private final Applications applications;
  private final Merchants merchants;
  private final Clock clock;

  public TokenRoutes(Tokens tokens, Applications applications, Merchants merchants, Clock clock) {
    this.tokens = tokens;
    this.applications = applications;
    this.merchants = merchants;
    this.clock = clock;
  }

  Answer issue(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    String appid = request.text(body, "appid", true);
    int merchantId = merchantId(request, body.get("merchantId"));
    String store = request.text(body, "boundStore", false);
    String boundStore =
        store == null
            ? ""
            : request.problems().check("boundStore", () -> Text.line(store, STORE_CHARACTERS));
    List<Scope> scopes = scopes(request, body.get("scopes"));
    Instant expiresAt = expiry(request, body);
    if (request.problems().any() || appid == null || boundStore == null) {
      return request.rejection();
    }
    Merchants.Merchant merchant = merchants.find(merchantId);
    if (merchant == null) {
      return Rejection.of("merchantId", ErrorCode.MERCHANT_MISSING, merchantId);
    }
    if (merchant.status().isClosed()) {
      return MerchantRoutes.closed(merchant);
    }
    String token = tokens.issue(appid, merchantId, boundStore, scopes, expiresAt, request.actor());
    if (token == null) {
      return refused(appid);
    }
    return AdminResponse.created(
        fields(
            "accesstoken", token,
            "prefix", Credentials.visible(token),
            "appid", appid,
            "merchantId", merchantId,
            "boundStore", boundStore,
            "scopes", scopes.stream().map(Scope::word).toList(),
            "expiresAt", expiresAt));
  }

  private Answer refused(String appid) throws SQLException {
    Applications.Application application = applications.find(appid);
    Instant stoppedAt = application == null ? null : application.stoppedAt();
    return stoppedAt == null
        ? Rejection.of("appid", ErrorCode.APPLICATION_MISSING, appid)
        : Rejection.of("appid", ErrorCode.APPLICATION_STOPPED, appid, stoppedAt);
  }

  Answer list(AdminRequest request) throws SQLException {
    String merchant = request.query("merchant");
    Integer merchantId =
        merchant == null ? null : request.problems().positive("merchant", merchant);
    boolean review = request.flag("review", false);
    if (request.problems().any()) {
      return request.rejection();
    }
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    tokens.all(merchantId, request.query("app"), review).forEach(token -> list.add(shown(token)));
    return AdminResponse.ok(fields("tokens", list));
  }

  Answer revoke(AdminRequest request) throws SQLException, IOException {
    return change(request, request.body(), text -> tokens.revoke(text, request.actor()));
  }

  /** Reviews one token, or all of them, optionally of one merchant. */
  Answer review(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    if (body.has("token")) {
      return change(request, body, text -> tokens.review(text, request.actor()));
    }
    JsonNode all = body.get("all");
    if (all == null || !all.isBoolean() || !all.asBoolean()) {
      request.problems().add("token", ErrorCode.FIELD_MISSING, "token");
    }
    Integer merchantId =
        body.has("merchantId") ? merchantId(request, body.get("merchantId")) : null;
    return request.problems().any()
        ? request.rejection()
        : AdminResponse.ok(fields("reviewed", tokens.reviewAll(merchantId, request.actor())));
  }

  /** An action on an existing token. */
  private interface Work {
    Tokens.Change run(String text) throws SQLException;
  }

  private static Answer change(AdminRequest request, JsonNode body, Work work) throws SQLException {
    String text = request.text(body, "token", true);
    if (text == null || text.isBlank()) {
      if (text != null) {
        request.problems().add("token", ErrorCode.TEXT_EMPTY);
      }
      return request.rejection();
    }
    Tokens.Change change = work.run(text.strip());
    Tokens.Token token = change.token();
    if (token != null) {
      return AdminResponse.ok(shown(token));
    }
    String visible = Credentials.visible(text.strip());
    return change.matching() == 0
        ? Rejection.of("token", ErrorCode.TOKEN_MISSING, visible)
        : Rejection.of("token", ErrorCode.TOKEN_AMBIGUOUS, visible, change.matching());
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
        "revokedAt", token.revokedAt(),
        "lastUsedAt", token.lastUsedAt(),
        "restoredAt", token.restoredAt());
  }

  private static int merchantId(AdminRequest request, @Nullable JsonNode given) {
    if (given == null || given.isNull()) {
      request.problems().add("merchantId", ErrorCode.FIELD_MISSING, "merchantId");
      return 0;
    }
    return request.problems().positive("merchantId", AdminRequest.plain(given));
  }

  /** The default is all scopes. */
  private static List<Scope> scopes(AdminRequest request, @Nullable JsonNode given) {
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
      Optional<Scope> scope = Scope.of(AdminRequest.plain(word));
      if (scope.isPresent()) {
        scopes.add(scope.get());
      } else {
        String expected = "a scope is one of " + SCOPES;
        request
            .problems()
            .add(
                "scopes[" + place + "]",
                ErrorCode.TEXT_FORMAT,
                AdminRequest.plain(word),
                List.of(expected));
      }
      place++;
    }
    return scopes;
  }

  /** The default is no expiry. */
  private @Nullable Instant expiry(AdminRequest request, JsonNode body) {
    String text = request.text(body, "expires", false);
    if (text == null || text.isBlank()) {
      return null;
    }
    Instant expiresAt = Expiry.after(clock.instant(), text);
    if (expiresAt == null) {
      request.problems().add("expires", ErrorCode.TEXT_FORMAT, text, List.of(Expiry.EXPECTED));
    }
    return expiresAt;
  }
}
