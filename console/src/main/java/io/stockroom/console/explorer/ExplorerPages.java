package io.stockroom.console.explorer;

import io.stockroom.console.applications.VisibleApplications;
import io.stockroom.console.explorer.RecordedRequests.Recorded;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.console.visit.WhileReadOnly;
import io.stockroom.core.call.Json;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.protocol.check.Endpoint;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** The API explorer: its page, its product suggestions and its code samples. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT, Role.DEVELOPER})
public final class ExplorerPages {
  private static final int OFFERED_PRODUCTS = 20;
  private static final String JSON = MediaType.APPLICATION_JSON_VALUE + ";charset=utf-8";

  private final VisibleApplications applications;
  private final Merchants merchants;
  private final MerchantProducts products;
  private final RecordedRequests recorded;
  private final ExplorerMessages words;

  public ExplorerPages(
      VisibleApplications applications,
      Merchants merchants,
      MerchantProducts products,
      RecordedRequests recorded,
      ExplorerMessages words) {
    this.applications = applications;
    this.merchants = merchants;
    this.products = products;
    this.recorded = recorded;
    this.words = words;
  }

  @GetMapping("/explorer")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String call,
      @RequestParam(defaultValue = "") String app,
      @RequestParam(defaultValue = "0") int merchant,
      @RequestParam(defaultValue = "") String request,
      Model model)
      throws SQLException {
    boolean operator = visit.person().is(Role.OPERATOR);
    int merchantId = operator ? merchant : visit.merchantId();
    Recorded past = request.isEmpty() ? null : recorded.find(merchantId, request);
    Endpoint chosen = chosen(call, past);
    model.addAttribute("operator", operator);
    model.addAttribute("merchants", operator ? merchants.all() : List.of());
    model.addAttribute("merchantId", merchantId);
    model.addAttribute(
        "applications", applications.to(visit).stream().filter(row -> !row.isStopped()).toList());
    model.addAttribute("app", app);
    model.addAttribute("endpoints", OFFERED);
    model.addAttribute("chosen", chosen);
    model.addAttribute("snippets", Snippet.values());
    model.addAttribute("past", past == null ? "" : json(past, visit));
    model.addAttribute("gone", !request.isEmpty() && past == null);
    model.addAttribute("words", words.json(visit.language()));
    return "explorer";
  }

  /** Files are uploaded on the page Imports. */
  private static final List<Endpoint> OFFERED =
      Arrays.stream(Endpoint.values())
          .filter(endpoint -> endpoint.takes() != Endpoint.Takes.FILE)
          .toList();

  private static Endpoint chosen(String call, @Nullable Recorded past) {
    if (past != null) {
      return Endpoint.at(past.path()).orElse(Endpoint.PRODUCT_LIST);
    }
    return OFFERED.stream()
        .filter(endpoint -> endpoint.word().equals(call))
        .findFirst()
        .orElse(Endpoint.PRODUCT_LIST);
  }

  private static String json(Recorded past, ConsoleRequest visit) {
    return Json.text(
        (out, _) -> {
          out.writeStartObject();
          out.writeStringProperty("query", past.query());
          out.writeStringProperty("contentType", past.contentType());
          out.writeStringProperty("body", past.body());
          out.writeEndObject();
        },
        visit.language());
  }

  /** Suggests products whose item number or title matches the typed text. */
  @GetMapping("/explorer/products")
  String products(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String q,
      @RequestParam(defaultValue = "0") int merchant,
      Model model)
      throws SQLException {
    int merchantId = visit.person().is(Role.OPERATOR) ? merchant : visit.merchantId();
    String text = q.length() > 100 ? q.substring(0, 100) : q;
    MerchantProducts.Wanted wanted = MerchantProducts.Wanted.of(text, OFFERED_PRODUCTS);
    model.addAttribute("products", products.page(merchantId, wanted).rows());
    return "explorer-pieces :: products";
  }

  /** The call as source code, in every supported language. */
  @PostMapping(path = "/explorer/snippets", produces = JSON)
  @WhileReadOnly
  @ResponseBody
  String snippets(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam String path,
      @RequestParam(defaultValue = "") String query,
      @RequestParam(defaultValue = "") String type,
      @RequestParam(defaultValue = "") String body) {
    Endpoint endpoint = Endpoint.at(path).orElseThrow(PageException::missing);
    String target = query.isEmpty() ? endpoint.path() : endpoint.path() + "?" + query;
    String plainType = type.equals("application/json") ? type : "application/x-www-form-urlencoded";
    return Json.text(
        (out, _) -> {
          out.writeStartObject();
          for (Snippet snippet : Snippet.values()) {
            out.writeStringProperty(snippet.word(), snippet.of(endpoint, target, plainType, body));
          }
          out.writeEndObject();
        },
        visit.language());
  }
}
