package io.stockroom.console.explorer;

import io.stockroom.console.applications.VisibleApplications;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.access.Applications;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.StoredSecrets;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Json;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.settings.Network;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.check.Endpoint;
import io.stockroom.protocol.request.FeedReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * Sends a call for an application whose secret the person does not know. The server signs it with a
 * token in the person's name and sends it to its own port. It signs with HMAC and never shows the
 * whole signature or token, because an MD5 signature would be valid for any call with the same
 * timestamp, for every merchant of the application.
 */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT, Role.DEVELOPER})
public final class SendPages {
  private static final String FORM = "application/x-www-form-urlencoded";

  /** The request log shows the same number of characters. */
  private static final int SHOWN_OF_SIGN = 4;

  /** A waiting call holds a slot of the person. */
  private static final int MAX_WAIT_SECONDS = 5;

  private final VisibleApplications applications;
  private final StoredSecrets secrets;
  private final ExplorerTokens tokens;
  private final Merchants merchants;
  private final LoopbackClient calls;
  private final Clock clock;
  private final List<Network> trustedProxies;

  public SendPages(
      VisibleApplications applications,
      StoredSecrets secrets,
      ExplorerTokens tokens,
      Merchants merchants,
      LoopbackClient calls,
      Clock clock,
      List<Network> trustedProxies) {
    this.applications = applications;
    this.secrets = secrets;
    this.tokens = tokens;
    this.merchants = merchants;
    this.calls = calls;
    this.clock = clock;
    this.trustedProxies = trustedProxies;
  }

  @LimitedAs(CallKind.SEND)
  @PostMapping(
      path = "/explorer/send",
      produces = MediaType.APPLICATION_JSON_VALUE + ";charset=utf-8")
  @ResponseBody
  String send(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam String path,
      @RequestParam(defaultValue = "") String query,
      @RequestParam(defaultValue = FORM) String type,
      @RequestParam(defaultValue = "") String body,
      @RequestParam String app,
      @RequestParam(defaultValue = "0") int merchant,
      HttpServletRequest request)
      throws SQLException, IOException {
    Endpoint endpoint = Endpoint.at(path).orElseThrow(PageException::missing);
    Applications.Application application = applications.find(visit, app);
    refuse(visit, endpoint, application);
    int merchantId = merchantId(visit, merchant);
    StoredSecrets.Secrets stored = secrets.of(application.appid());
    String token = tokens.of(visit, application.appid(), merchantId);
    if (stored == null || token == null) {
      throw PageException.missing();
    }
    String time = Long.toString(clock.instant().getEpochSecond());
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    if (endpoint == Endpoint.CHANGES) {
      refuseLongWait(new RequestContent(FORM, "", query, bytes));
    }
    String target = query.matches("[!-~]+") ? endpoint.path() + "?" + query : endpoint.path();
    if (!isAddress(target)) {
      throw new PageException(400, "characters");
    }
    String nonce = UUID.randomUUID().toString();
    String sign =
        Signature.hmac(
            stored.present(), Signature.signedText("POST", target, time, token, bytes, nonce));
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("appid", application.appid());
    headers.put("sign", sign);
    headers.put("timestamp", time);
    headers.put("accesstoken", token);
    headers.put("sign-method", "hmac-sha256");
    headers.put("sign-nonce", nonce);
    headers.put("Content-Type", type.equals("application/json") ? type : FORM);
    headers.put("Accept-Language", visit.languageTag());
    // then the call counts against the person's address; else it would look like a proxy's
    if (isTrusted(request.getLocalAddr())) {
      headers.put("X-Forwarded-For", visit.client().address());
    }
    LoopbackClient.Answer answer = answer(LoopbackClient.address(request) + target, headers, bytes);
    if (isEnded(answer)) {
      tokens.forget(visit, application.appid(), merchantId);
    }
    headers.put("sign", sign.substring(0, SHOWN_OF_SIGN) + "…");
    headers.put("accesstoken", Credentials.visible(token) + "…");
    headers.remove("X-Forwarded-For");
    headers.remove("Accept-Language");
    return json(visit, headers, answer);
  }

  private boolean isTrusted(String address) {
    return trustedProxies.stream().anyMatch(network -> network.contains(address));
  }

  private static void refuse(
      ConsoleRequest visit, Endpoint endpoint, Applications.Application application) {
    Scope scope = endpoint.scope();
    if (scope != null && !RoleScopes.of(visit.person()).contains(scope)) {
      throw new PageException(403, "call-role");
    }
    if (application.isStopped()) {
      throw new PageException(409, "stopped");
    }
  }

  private static void refuseLongWait(RequestContent content) {
    try {
      if (FeedReader.changes(content).waitSeconds() > MAX_WAIT_SECONDS) {
        throw new PageException(422, "wait", MAX_WAIT_SECONDS);
      }
    } catch (InvalidRequest invalid) {
      // the call returns its problems
    }
  }

  private int merchantId(ConsoleRequest visit, int chosen) throws SQLException {
    if (!visit.person().is(Role.OPERATOR)) {
      return visit.merchantId();
    }
    if (merchants.find(chosen) == null) {
      throw new PageException(422, "merchant");
    }
    return chosen;
  }

  private LoopbackClient.Answer answer(String address, Map<String, String> headers, byte[] body)
      throws IOException {
    try {
      return calls.post(address, headers, body);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during a call", stopped);
    }
  }

  private static boolean isEnded(LoopbackClient.Answer answer) {
    String body = answer.response().body();
    return answer.response().statusCode() == 400
        && (body.contains(ErrorCode.TOKEN_REVOKED.name())
            || body.contains(ErrorCode.TOKEN_EXPIRED.name()));
  }

  private static String json(
      ConsoleRequest visit, Map<String, String> headers, LoopbackClient.Answer answer) {
    return Json.text(
        (out, _) -> {
          out.writeStartObject();
          out.writeObjectPropertyStart("request");
          headers.forEach(out::writeStringProperty);
          out.writeEndObject();
          out.writeNumberProperty("status", answer.response().statusCode());
          out.writeNumberProperty("millis", answer.millis());
          out.writeObjectPropertyStart("headers");
          answer
              .response()
              .headers()
              .map()
              .forEach((name, values) -> out.writeStringProperty(name, String.join(", ", values)));
          out.writeEndObject();
          out.writeStringProperty("body", answer.response().body());
          out.writeEndObject();
        },
        visit.language());
  }

  private static boolean isAddress(String target) {
    try {
      return new URI(target).getRawPath() != null;
    } catch (URISyntaxException broken) {
      return false;
    }
  }
}
