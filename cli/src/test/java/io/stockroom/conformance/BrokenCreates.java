package io.stockroom.conformance;

import static io.stockroom.conformance.BrokenServer.accepting;
import static io.stockroom.conformance.BrokenServer.answering;
import static io.stockroom.conformance.BrokenServer.at;
import static io.stockroom.conformance.BrokenServer.body;
import static io.stockroom.conformance.BrokenServer.changing;
import static io.stockroom.conformance.BrokenServer.createHas;
import static io.stockroom.conformance.BrokenServer.creating;
import static io.stockroom.conformance.BrokenServer.failure;
import static io.stockroom.conformance.BrokenServer.forwarding;
import static io.stockroom.conformance.BrokenServer.groups;
import static io.stockroom.conformance.BrokenServer.header;
import static io.stockroom.conformance.BrokenServer.on;
import static io.stockroom.conformance.BrokenServer.rejection;
import static io.stockroom.conformance.BrokenServer.rewriting;
import static io.stockroom.conformance.BrokenServer.status;
import static io.stockroom.conformance.BrokenServer.text;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Servers that write wrong data, ignore the rate limit, or write twice. */
final class BrokenCreates {
  private final Target target;
  private final String own;
  private final Predicate<Request> creates = on(Probe.CREATE);

  BrokenCreates(Target target) {
    this.target = target;
    this.own = "\"pid\":" + target.products().getFirst() + ",";
  }

  List<BrokenServer> all() {
    String foreign = "\"pid\":" + target.foreignProduct() + ",";
    String missing = "\"pid\":" + Probe.MISSING + ",";
    return List.of(
        accepting(
                "create.writes",
                creating(body -> body.contains(own) && body.contains("\"size\":\"36\"")))
            .with(BrokenServer.ANYTHING),
        rewriting("create.answer", creates, "true,\"msg\":\"\"", "true,\"msg\":\"ok\""),
        forwarding(
            "create.range",
            createHas("\"size\":\"36-38\"").and(createHas(Stock.RANGE)),
            request -> text(request, request.text().replace("36-38", "36-37"))),
        forwarding(
            "create.several-products",
            createHas("\"pid\":" + target.products().get(1) + ","),
            BrokenCreates::onlyFirst),
        changing(
            "create.again",
            on(Probe.STOCK),
            answer ->
                body(
                    answer,
                    answer
                        .body()
                        .replaceAll(
                            "\"guid\":\".{16}", "\"guid\":\"%016x".formatted(System.nanoTime())))),
        rewriting("create.barcode", on(Probe.STOCK), "\"barCode\":null", "\"barCode\":\"\""),
        new BrokenServer("create.barcode-kept", Set.of(), BrokenCreates::forgettingBarcodes),
        forwarding(
            "create.color-kept",
            createHas("e\u0301"),
            request -> text(request, request.text().replace("  conform e\u0301 ", "conform f"))),
        changing(
                "create.missing",
                creating(Stock.harmless()::equals),
                answer ->
                    answer.status() == 200
                        ? body(answer, "{\"success\":true,\"msg\":\"\"}")
                        : answer)
            .with("create.foreign"),
        rewriting("create.missing-all", creates, Integer.toString(Probe.MISSING - 1), "…"),
        answering("create.foreign", createHas(foreign), _ -> failure("It is not yours.")),
        new BrokenServer(
            "create.nothing-on-400",
            Set.of(),
            real -> writingHalf(real, createHas("36.5").and(createHas(own)), rejection("Half."))),
        new BrokenServer(
            "create.nothing-on-failure",
            Set.of(),
            real -> writingHalf(real, createHas(missing).and(createHas(own)), failure("Half."))),
        changing("pace.headers", creates, answer -> header(answer, "RateLimit-Policy", "")),
        new BrokenServer("replay.same", Set.of(), this::writingAgain),
        new BrokenServer("replay.free", Set.of(), this::countingReplays),
        new BrokenServer("replay.other-body", Set.of(), this::rejectingUsedTimestamps));
  }

  /** The servers whose defect shows only with a rate limit. */
  List<BrokenServer> paced() {
    return List.of(
        changing(
                "pace.too-early",
                creates,
                answer -> answer.status() == 429 ? status(answer, 200) : answer)
            .with("pace.retry-after", "replay.other-body-early"),
        changing("pace.retry-after", creates, answer -> header(answer, "Retry-After", ""))
            .with("replay.other-body-early"),
        new BrokenServer("pace.refusal-free", Set.of(), this::chargingRefusals),
        new BrokenServer("replay.other-body-early", Set.of(), this::rejectingUsedTimestamps));
  }

  private static Request onlyFirst(Request request) {
    String list = request.text();
    return groups(list) == 1
        ? request
        : text(request, list.substring(0, list.indexOf("]},")) + "]}]");
  }

  private static Transport writingHalf(Transport real, Predicate<Request> what, Answer said) {
    return request -> {
      if (!what.test(request)) {
        return real.send(request);
      }
      var _ = real.send(onlyFirst(request));
      return said;
    };
  }

  private static Transport forgettingBarcodes(Transport real) {
    AtomicBoolean forgotten = new AtomicBoolean();
    return request -> {
      if (createHas("\"size\":\"37\"").test(request)) {
        forgotten.set(!request.text().contains("barCode"));
      }
      Answer answer = real.send(request);
      return forgotten.get()
          ? body(
              answer, answer.body().replaceAll("\"barCode\":\"CONFORM[^\"]*\"", "\"barCode\":null"))
          : answer;
    };
  }

  private Transport writingAgain(Transport real) {
    BrokenServer.Memory memory = new BrokenServer.Memory();
    AtomicLong unused = new AtomicLong(System.currentTimeMillis() / 1000 - 200);
    return request -> {
      boolean again = creates.test(request) && memory.taken(request).equals(request.text());
      Request sent = again ? at(request, target, unused.getAndIncrement()) : request;
      return memory.noted(request, real.send(sent));
    };
  }

  private Transport countingReplays(Transport real) {
    BrokenServer.Memory memory = new BrokenServer.Memory();
    return request -> {
      boolean again =
          creates.test(request)
              && memory.taken(request).equals(request.text())
              && request.text().equals(Stock.harmless());
      return again
          ? status(rejection("Too early."), 429)
          : memory.noted(request, real.send(request));
    };
  }

  private Transport rejectingUsedTimestamps(Transport real) {
    BrokenServer.Memory memory = new BrokenServer.Memory();
    return request -> {
      String before = creates.test(request) ? memory.taken(request) : "";
      boolean other = !before.isEmpty() && !before.equals(request.text());
      return other
          ? rejection("This timestamp was used.")
          : memory.noted(request, real.send(request));
    };
  }

  private Transport chargingRefusals(Transport real) {
    AtomicBoolean charged = new AtomicBoolean();
    return request -> {
      if (creates.test(request) && charged.getAndSet(request.text().equals("[]"))) {
        return status(rejection("Too early."), 429);
      }
      return real.send(request);
    };
  }
}
