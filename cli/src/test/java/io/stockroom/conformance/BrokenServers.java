package io.stockroom.conformance;

import static io.stockroom.conformance.BrokenServer.accepting;
import static io.stockroom.conformance.BrokenServer.answering;
import static io.stockroom.conformance.BrokenServer.body;
import static io.stockroom.conformance.BrokenServer.changing;
import static io.stockroom.conformance.BrokenServer.createHas;
import static io.stockroom.conformance.BrokenServer.creating;
import static io.stockroom.conformance.BrokenServer.failure;
import static io.stockroom.conformance.BrokenServer.formHas;
import static io.stockroom.conformance.BrokenServer.forwarding;
import static io.stockroom.conformance.BrokenServer.groups;
import static io.stockroom.conformance.BrokenServer.header;
import static io.stockroom.conformance.BrokenServer.on;
import static io.stockroom.conformance.BrokenServer.path;
import static io.stockroom.conformance.BrokenServer.rejecting;
import static io.stockroom.conformance.BrokenServer.rejection;
import static io.stockroom.conformance.BrokenServer.reordered;
import static io.stockroom.conformance.BrokenServer.rewriting;
import static io.stockroom.conformance.BrokenServer.status;
import static io.stockroom.conformance.BrokenServer.text;
import static io.stockroom.conformance.BrokenServer.with;

import io.stockroom.protocol.Signature;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Servers that violate one rule each: at least one server for every rule. */
final class BrokenServers {
  /** The remaining quota of a limit that counts every response. */
  private final AtomicLong remaining = new AtomicLong(100);

  private static final String MISSING = Integer.toString(Probe.MISSING);
  private static final int MAX_BYTES = 2 * 1024 * 1024;

  private final Target target;
  private final Predicate<Request> products = on(Probe.PRODUCTS);
  private final Predicate<Request> stock = on(Probe.STOCK);
  private final Predicate<Request> detail = on(Probe.DETAIL);

  BrokenServers(Target target) {
    this.target = target;
  }

  /** The servers whose defect shows without a rate limit. */
  List<BrokenServer> all() {
    return Stream.of(signing(), addresses(), bodies(), lists(), entries(), creates(), forms())
        .flatMap(List::stream)
        .toList();
  }

  private List<BrokenServer> signing() {
    Predicate<Request> mine = request -> request.header("appid").equals(target.appid());
    Predicate<Request> hmac = request -> !request.header("sign-method").isEmpty();
    Predicate<Request> otherSecret = request -> isSigned(request, target.secret() + "0", 0);
    return List.of(
        rejecting("signing.upper-case", request -> request.header("sign").matches("[0-9A-F]{32}"))
            .with(BrokenServer.ANYTHING),
        accepting("signing.header-missing", request -> request.header("accesstoken").isEmpty()),
        forwarding(
            "signing.header-repeated",
            request -> request.headers().stream().filter(h -> h.name().equals("appid")).count() > 1,
            request -> with(request, "appid", target.appid())),
        accepting("signing.unknown-appid", mine.negate().and(BrokenServers::hasAll))
            .with("signing.one-answer"),
        accepting("signing.other-secret", otherSecret).with("signing.one-answer"),
        accepting("signing.other-time", request -> isSigned(request, target.secret(), 1)),
        accepting("signing.unknown-token", tokenIs("srt_conformance"))
            .with("signing.one-answer", "signing.foreign-token"),
        answering(
            "signing.foreign-token",
            tokenIs(String.valueOf(target.foreignToken())),
            _ -> rejection("This token belongs to somebody else.")),
        answering(
            "signing.one-answer", mine.negate().and(BrokenServers::hasAll), _ -> rejection("Who?")),
        rejecting("signing.lower-case", request -> request.header("sign").matches(".*[a-f].*")),
        accepting("signing.sixteen-characters", request -> request.header("sign").length() == 16),
        accepting("signing.milliseconds", request -> request.header("timestamp").length() == 13),
        rejecting("signing.clock-inside", products.and(request -> isOff(request, 30))),
        accepting(
            "signing.clock-outside",
            request -> request.header("timestamp").length() == 10 && isOff(request, 3000)),
        rejecting("signing.hmac", hmac),
        accepting("signing.hmac-whole", hmac.and(request -> !isHmac(request))),
        answering(
            "signing.before-body",
            otherSecret.and(formHas(Probe.PRODUCTS, "page=x")),
            _ -> rejection("page: x is not a number.")));
  }

  private List<BrokenServer> addresses() {
    return List.of(
        answering(
            "address.post-only",
            request -> !request.method().equals("POST"),
            _ -> rejection("No.")),
        changing(
            "address.any-case",
            request -> request.path().equals(request.path().toLowerCase(Locale.ROOT)),
            answer -> status(answer, 404)),
        forwarding("address.unknown", on("/Stock/Create"), request -> path(request, Probe.CREATE)),
        forwarding(
            "type.stock-list",
            stock,
            request -> with(request, "Content-Type", RequestBuilder.FORM)),
        forwarding(
            "type.create",
            on(Probe.CREATE).and(request -> !request.header("Content-Type").contains("charset")),
            request -> with(request, "Content-Type", RequestBuilder.JSON)),
        rejecting(
            "type.utf-8", request -> request.header("Content-Type").contains("charset=UTF-8")),
        forwarding(
            "type.not-utf-8",
            request -> request.header("Content-Type").contains("gbk"),
            request -> with(request, "Content-Type", RequestBuilder.JSON)),
        changing(
            "headers.media-type",
            _ -> true,
            answer -> header(answer, "Content-Type", "text/html; charset=utf-8")),
        changing(
            "headers.utf-8",
            _ -> true,
            answer -> header(answer, "Content-Type", RequestBuilder.JSON)),
        changing("headers.date", _ -> true, answer -> header(answer, "Date", "")),
        changing("headers.request-id", _ -> true, answer -> header(answer, "X-Request-Id", "1")),
        rewriting(
            "refusal.shape", stock, "\\{\"at\":\"productid\"", "{\"more\":1,\"at\":\"productid\""),
        rewriting("refusal.place", stock, "\"at\":\"productid\"", "\"at\":\"\""),
        rewriting("refusal.every-fault", on(Probe.CREATE), "\\},\\{\"at\":.*(\\]\\})$", "}$1"),
        changing(
            "refusal.not-found-shape",
            _ -> true,
            answer -> answer.status() > 403 ? body(answer, "{\"error\":\"no\"}") : answer),
        changing(
            "refusal.no-secret",
            request -> request.header("sign").equals("x"),
            answer -> body(answer, answer.body().replace("\"errors\"", target.token() + "\""))),
        forwarding(
            "language.chinese",
            request -> request.header("Accept-Language").startsWith("zh"),
            request -> with(request, "Accept-Language", "en")),
        forwarding(
            "language.english",
            request -> request.header("Accept-Language").equals("en"),
            request -> with(request, "Accept-Language", "zh-CN")),
        rewriting(
            "language.same-codes",
            request -> request.header("Accept-Language").startsWith("zh"),
            "NUMBER_FORMAT",
            "数字格式"));
  }

  private List<BrokenServer> bodies() {
    return List.of(
        accepting("body.not-json", creating(String::isEmpty)),
        accepting("body.not-array", creating(body -> body.startsWith("{\"color\"")))
            .with("body.object-place"),
        rewriting(
            "body.object-place",
            creating(body -> body.startsWith("{\"color\"")),
            "\"at\":\"\"",
            "\"at\":\"list\""),
        rejecting("body.list-object", creating(body -> body.startsWith("{\"list\""))),
        forwarding(
            "body.trailing",
            creating(body -> body.endsWith(" []")),
            request -> text(request, request.text().replace(" []", ""))),
        accepting("body.duplicate-name", createHas("\"color\":\"x\",\"color\"")),
        accepting("body.too-deep", createHas("[[[[[[[[[[[[")),
        rejecting("body.inside-2-mib", request -> request.body().length == MAX_BYTES),
        accepting("body.outside-2-mib", request -> request.body().length > MAX_BYTES),
        accepting("body.form-broken", formHas(Probe.PRODUCTS, "%zz")));
  }

  private List<BrokenServer> lists() {
    Predicate<Request> second = formHas(Probe.PRODUCTS, "page=2");
    return List.of(
        rewriting("products.shape", products, "\"totalPages\":(\\d+)", "\"totalPages\":\"$1\""),
        rewriting("products.fields", products, "\\{\"success\"", "{\"more\":1,\"success\""),
        accepting(
            "products.page-missing",
            products.and(BrokenServers::isEmpty).and(request -> request.query().isEmpty())),
        forwarding(
            "products.page-bad",
            formHas(Probe.PRODUCTS, "page=0"),
            request -> text(request, "page=1")),
        rejecting(
            "products.page-in-query",
            products.and(BrokenServers::isEmpty).and(request -> !request.query().isEmpty())),
        accepting("products.page-conflict", second.and(request -> request.query().contains("1"))),
        accepting("products.field-repeated", formHas(Probe.PRODUCTS, "page=1&page=1")),
        rejecting("products.field-unknown", formHas(Probe.PRODUCTS, "conform=1")),
        rewriting("products.last-page", products, "\"totalPages\":3", "\"totalPages\":4")
            .with("products.stock-all"),
        changing(
            "products.beyond-end",
            products,
            answer -> answer.body().contains("\"data\":[]") ? rejection("No such page.") : answer),
        changing("products.order", second, answer -> body(answer, reordered(answer.body()))),
        rewriting(
            "products.stock-true",
            formHas(Probe.PRODUCTS, "stock=true").or(formHas(Probe.PRODUCTS, "stock=TRUE")),
            "\"data\":\\[\\{\"id\":\\d+",
            "\"data\":[{\"id\":" + JudgedServer.get().bare()),
        rewriting(
            "products.stock-false",
            formHas(Probe.PRODUCTS, "stock=false"),
            "(\"data\":\\[\\{[^}]+\\},\\{\"id\":)\\d+",
            "$1" + JudgedServer.get().stocked()),
        rewriting(
            "products.stock-all", formHas(Probe.PRODUCTS, "stock=false"), ",\\{[^}]*\\}\\]", "]"),
        rejecting("products.stock-any-case", formHas(Probe.PRODUCTS, "stock=TRUE")),
        rejecting(
            "products.stock-empty", products.and(request -> request.text().endsWith("stock="))),
        accepting("products.stock-bad", formHas(Probe.PRODUCTS, "stock=yes")));
  }

  private List<BrokenServer> entries() {
    String foreign = String.valueOf(target.foreignProduct());
    return List.of(
        rewriting(
            "stock.shape", stock, "\"guid\":\"(.{8})(.{4})(.{20})\"", "\"guid\":\"$1-$2-$3\""),
        rewriting("stock.fields", stock, "\"stock\":(\\d+)\\}", "\"stock\":$1,\"more\":1}"),
        rewriting("stock.size-number", stock, "\"size\":(\\d+)", "\"size\":\"$1\""),
        changing("stock.order", stock, answer -> body(answer, reordered(answer.body()))),
        changing(
            "stock.not-added",
            stock,
            answer ->
                answer.body().contains("not been added")
                    ? body(answer, answer.body().replace("\"data\":\"\"", "\"data\":[]"))
                    : answer),
        accepting(
                "stock.missing",
                formHas(Probe.STOCK, "productid=" + MISSING)
                    .and(request -> request.header("Content-Type").equals(RequestBuilder.FORM)))
            .with("stock.foreign"),
        answering(
            "stock.foreign",
            formHas(Probe.STOCK, "productid=" + foreign),
            _ -> failure("This product is not yours.")),
        forwarding(
            "stock.productid-bad",
            stock.and(request -> request.text().equals("productid=0")),
            request -> text(request, "productid=" + MISSING)),
        rewriting("detail.shape", detail, "\"title\":\"[^\"]*\"", "\"title\":1"),
        rewriting("detail.fields", detail, "\"title\":", "\"more\":1,\"title\":"),
        rewriting("detail.price", detail, "\"price\":(\\d+)\\.00", "\"price\":$1.0"),
        rewriting("detail.outer-id", detail, "(\"outerId\":\"[^/\"]*)/", "$1-"),
        rewriting("detail.picture", detail, "\"picUrl\":\"", "\"picUrl\":\"x"),
        rewriting("detail.skus", detail, "\"stockNum\":\"\\d+,", "\"stockNum\":\""),
        rejecting(
            "detail.any-form",
            detail.and(request -> request.header("Content-Type").equals(RequestBuilder.JSON))),
        forwarding(
            "detail.pid-bad",
            detail.and(request -> request.text().equals("pid=0")),
            request -> text(request, "pid=" + MISSING)),
        rewriting(
                "detail.missing", formHas(Probe.DETAIL, MISSING), "\"data\":\"\"", "\"data\":null")
            .with("detail.foreign"),
        answering(
            "detail.foreign",
            formHas(Probe.DETAIL, "pid=" + foreign),
            _ -> failure("This product is not yours.")),
        changing("detail.limit-headers", detail, answer -> header(answer, "RateLimit-Policy", "")),
        changing(
            "detail.counted",
            detail,
            answer -> header(answer, "RateLimit", "\"detail-per-day\";r=5")),
        changing(
            "detail.failure-free",
            formHas(Probe.DETAIL, MISSING),
            answer ->
                header(
                    answer, "RateLimit", "\"detail-per-day\";r=" + remaining.decrementAndGet())));
  }

  private List<BrokenServer> creates() {
    return new BrokenCreates(target).all();
  }

  private List<BrokenServer> forms() {
    return List.of(
        rejecting("form.groups-inside", creating(body -> groups(body) == 300)),
        accepting("form.groups-outside", creating(body -> groups(body) == 301)),
        rejecting("form.entries-inside", creating(body -> isHundreds(body) && groups(body) == 100)),
        accepting(
            "form.entries-outside", creating(body -> isHundreds(body) && groups(body) == 101)),
        accepting("form.size-format", creating(body -> body.contains("36.5") && groups(body) == 1)),
        rejecting("form.size-number", createHas("\"size\":36,")),
        rejecting("form.size-inside", createHas("\"size\":\"999\"")),
        accepting("form.size-outside", createHas("\"size\":\"0\"")),
        rejecting("form.stock-inside", createHas("\"stock\":2147483647")),
        accepting("form.stock-outside", createHas("\"stock\":3.0")),
        rejecting("form.color-inside", createHas("\"" + "红".repeat(64) + "\"")),
        accepting("form.color-outside", createHas("\"color\":\"  \"")),
        accepting("form.field-missing", createHas("{\"size\":\"36\"}")),
        accepting("form.field-type", createHas("\"pid\":\"7\"")),
        accepting("form.field-misspelled", createHas("\"barcode\"")),
        rejecting("form.field-unknown", createHas("\"note\":1,")),
        accepting("form.empty", createHas("\"param\":[]")),
        accepting("form.entry-repeated", createHas("38-40")),
        accepting("form.barcode-on-range", createHas("\"C-1\"")));
  }

  private static boolean isHundreds(String body) {
    return body.contains("\"1-100\"");
  }

  private static boolean isEmpty(Request request) {
    return request.body().length == 0;
  }

  private static boolean hasAll(Request request) {
    return Stream.of("appid", "sign", "timestamp", "accesstoken")
        .noneMatch(name -> request.header(name).isEmpty());
  }

  private static Predicate<Request> tokenIs(String beginning) {
    return request -> request.header("accesstoken").startsWith(beginning);
  }

  private static boolean isSigned(Request request, String secret, int secondsLater) {
    String timestamp = request.header("timestamp");
    return timestamp.matches("\\d{10}")
        && request
            .header("sign")
            .equals(
                Signature.sign(secret, Long.toString(Long.parseLong(timestamp) + secondsLater)));
  }

  private boolean isHmac(Request request) {
    return Signature.hmacMatches(
        target.secret(),
        request.method(),
        request.path() + request.query(),
        request.header("timestamp"),
        target.token(),
        request.body(),
        request.header("sign"));
  }

  private static boolean isOff(Request request, int seconds) {
    String timestamp = request.header("timestamp");
    return timestamp.matches("\\d{10}")
        && Math.abs(Long.parseLong(timestamp) - System.currentTimeMillis() / 1000) > seconds;
  }
}
