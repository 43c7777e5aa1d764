package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.sandbox.Sandbox;
import io.stockroom.core.sandbox.SandboxProduct;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.admin.AdminServlet.Route;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes of the sandbox; a server without one has none of them. */
public final class SandboxRoutes {
  private static final String EXPECTED = "a duration from PT0S to PT87600H, such as PT25H";

  private final Sandbox sandbox;
  private final Merchants merchants;

  public SandboxRoutes(Sandbox sandbox, Merchants merchants) {
    this.sandbox = sandbox;
    this.merchants = merchants;
  }

  List<Route> all() {
    return sandbox.isOn()
        ? List.of(
            new Route("GET", "/admin/sandbox", this::show),
            new Route("PUT", "/admin/sandbox/clock", this::setClock),
            new Route("POST", "/admin/sandbox/merchants/{merchant}/reset", this::reset))
        : List.of();
  }

  Answer show(AdminRequest request) {
    return AdminResponse.ok(
        fields(
            "now",
            sandbox.now(),
            "ahead",
            sandbox.ahead(),
            "products",
            Arrays.stream(SandboxProduct.values())
                .map(product -> fields("number", product.number(), "answer", product.name()))
                .toList()));
  }

  Answer setClock(AdminRequest request) throws SQLException, IOException {
    String text = request.text(request.body(), "ahead", true);
    Duration ahead = text == null ? null : duration(text);
    if (text != null && ahead == null) {
      request.problems().add("ahead", ErrorCode.TEXT_FORMAT, text, List.of(EXPECTED));
    }
    if (ahead == null) {
      return request.rejection();
    }
    sandbox.setAhead(ahead);
    return show(request);
  }

  private static @Nullable Duration duration(String text) {
    try {
      Duration ahead = Duration.parse(text);
      return ahead.isNegative() || ahead.compareTo(Sandbox.MAX_AHEAD) > 0 ? null : ahead;
    } catch (DateTimeParseException | ArithmeticException notOne) {
      return null;
    }
  }

  Answer reset(AdminRequest request) throws SQLException {
    int merchantId = request.id("merchant");
    if (request.problems().any()) {
      return request.rejection();
    }
    if (merchants.find(merchantId) == null) {
      return Rejection.of("merchant", ErrorCode.MERCHANT_MISSING, merchantId);
    }
    sandbox.reset(merchantId);
    return AdminResponse.ok(fields("merchantId", merchantId));
  }
}
