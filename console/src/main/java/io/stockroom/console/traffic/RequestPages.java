package io.stockroom.console.traffic;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.http.Routes;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.traffic.Histories;
import io.stockroom.core.traffic.Period;
import io.stockroom.core.traffic.RequestLog;
import io.stockroom.core.traffic.Traffic.Exchange;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;

/** The request log: a merchant's own calls, or all calls for an operator. */
@Controller
@Allow({Role.MERCHANT, Role.DEVELOPER, Role.OPERATOR})
public final class RequestPages {
  private static final int PAGE_SIZE = 50;

  /**
   * The filter form.
   *
   * @param merchant only an operator may set it
   * @param until a time as the browser's field sends it
   * @param before shows calls older than this one; 0 for the newest
   * @param live whether the page follows new calls
   */
  public record Filter(
      @Nullable String endpoint,
      @Nullable String outcome,
      @Nullable String request,
      @Nullable String merchant,
      @Nullable String until,
      @Nullable Long before,
      @Nullable Boolean live) {
    public boolean isLive() {
      return Boolean.TRUE.equals(live);
    }

    public boolean isEmpty() {
      return fields().isEmpty();
    }

    /** The outcome if it is an error code, as in links from the list of causes. */
    public String errorCode() {
      return RequestLog.Outcome.of(text(outcome)) == null ? text(outcome) : "";
    }

    /** The filters that are set, without the paging position and the live mode. */
    public Map<String, String> fields() {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("endpoint", text(endpoint));
      fields.put("outcome", text(outcome));
      fields.put("request", text(request));
      fields.put("merchant", text(merchant));
      fields.put("until", text(until));
      fields.values().removeIf(String::isEmpty);
      return fields;
    }

    /** The filters as a query string. */
    public String query() {
      return fields().entrySet().stream()
          .map(
              field ->
                  field.getKey()
                      + "="
                      + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
          .collect(Collectors.joining("&"));
    }

    private static String text(@Nullable String text) {
      return text == null ? "" : text.strip();
    }
  }

  private final RequestLog log;
  private final Histories histories;
  private final List<String> endpoints;
  private final Settings settings;

  public RequestPages(RequestLog log, Histories histories, Routes routes, Settings settings) {
    this.log = log;
    this.histories = histories;
    this.endpoints =
        routes.addresses().stream()
            .map(address -> address.substring(address.indexOf(' ') + 1))
            .sorted()
            .toList();
    this.settings = settings;
  }

  @GetMapping("/requests")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @ModelAttribute("filter") Filter filter,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    boolean operator = visit.person().is(Role.OPERATOR);
    RequestLog.Wanted wanted = wanted(visit, filter);
    long before = filter.before == null ? 0 : filter.before;
    List<RequestLog.Row> rows = log.newest(wanted, before, PAGE_SIZE + 1);
    boolean more = rows.size() > PAGE_SIZE;
    List<RequestLog.Row> shown = more ? rows.subList(0, PAGE_SIZE) : rows;
    model.addAttribute("rows", shown);
    model.addAttribute("next", more ? shown.getLast().id() : null);
    model.addAttribute("operator", operator);
    response.setHeader("Vary", "HX-Request");
    if (visit.isPiece()) {
      return "requests :: list";
    }
    model.addAttribute(
        "endpoints",
        operator
            ? Stream.concat(endpoints.stream(), Stream.of(Exchange.OTHER)).toList()
            : endpoints);
    model.addAttribute("on", settings.get(Settings.REQUEST_LOG_ROWS) > 0);
    model.addAttribute("mostRows", settings.get(Settings.REQUEST_LOG_ROWS));
    model.addAttribute("days", settings.get(Settings.REQUEST_LOG_DAYS));
    model.addAttribute("successes", settings.get(Settings.REQUEST_LOG_SUCCESSES));
    model.addAttribute("rejections", settings.get(Settings.REQUEST_LOG_REJECTIONS));
    model.addAttribute(
        "day",
        histories.read(operator ? Histories.SERVER : visit.merchantId(), Period.DAY).total());
    return "requests";
  }

  @GetMapping("/requests/{id}")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable String id,
      HttpServletRequest request,
      Model model)
      throws SQLException {
    boolean operator = visit.person().is(Role.OPERATOR);
    RequestLog.Whole whole = log.find(operator ? null : visit.merchantId(), id);
    if (whole == null) {
      throw new PageException(404, "request");
    }
    model.addAttribute("call", whole);
    model.addAttribute("row", whole.row());
    model.addAttribute("operator", operator);
    model.addAttribute("body", BodyFormatter.request(whole));
    model.addAttribute("answer", BodyFormatter.answer(whole));
    model.addAttribute("curl", Curl.of(whole, settings.baseUrl(request.getLocalPort())));
    return "request";
  }

  private static RequestLog.Wanted wanted(ConsoleRequest visit, Filter filter) {
    Integer merchantId =
        visit.person().is(Role.OPERATOR)
            ? number(filter.merchant)
            : Integer.valueOf(visit.merchantId());
    return new RequestLog.Wanted(
        merchantId,
        Filter.text(filter.endpoint),
        RequestLog.Outcome.of(Filter.text(filter.outcome)),
        filter.errorCode(),
        Filter.text(filter.request),
        moment(filter.until, visit));
  }

  /** The number; text that is not a number matches no merchant. */
  private static @Nullable Integer number(@Nullable String text) {
    try {
      return Filter.text(text).isEmpty() ? null : Integer.valueOf(Filter.text(text));
    } catch (NumberFormatException wrong) {
      return -1;
    }
  }

  private static @Nullable Instant moment(@Nullable String text, ConsoleRequest visit) {
    try {
      return Filter.text(text).isEmpty()
          ? null
          : LocalDateTime.parse(Filter.text(text)).atZone(visit.zoneId()).toInstant();
    } catch (DateTimeException wrong) {
      return null;
    }
  }
}
