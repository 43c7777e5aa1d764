package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** {@code POST /Stock/Creat}: what it writes. */
final class CreateRules {
  private CreateRules() {}

  static List<Rule> rules() {
    return List.of(
        owed(
            "create.writes",
            "writes an entry that the stock list then shows",
            probe -> {
              int quantity = probe.quantity();
              write(probe, Stock.group(probe.product(), Stock.BEFORE, "36", quantity));
              probe.requireStock(probe.product(), Stock.BEFORE, 36, quantity);
            },
            Need.PRODUCT),
        settled(
            "create.answer",
            "responds to a create with {\"success\":true,\"msg\":\"\"} and nothing else",
            probe -> {
              String body =
                  Stock.list(Stock.group(probe.product(), Stock.BEFORE, "36", probe.quantity()));
              Answer answer = probe.create(body).succeeds();
              answer.require(
                  answer.body().equals("{\"success\":true,\"msg\":\"\"}"),
                  "the response is different");
            },
            Need.PRODUCT),
        owed(
            "create.range",
            "writes every size of a range such as 36-38, both ends included, with the full quantity",
            probe -> {
              int pid = probe.product();
              int quantity = probe.quantity();
              write(probe, Stock.group(pid, Stock.RANGE, "36-38", quantity));
              IntStream.rangeClosed(36, 38)
                  .forEach(size -> probe.requireStock(pid, Stock.RANGE, size, quantity));
              long sizes = probe.entries(pid).stream().filter(CreateRules::isRange).count();
              if (sizes != 3) {
                throw new RuleViolation("36-38 has three sizes, but the stock list shows " + sizes);
              }
            },
            Need.PRODUCT),
        owed(
            "create.several-products",
            "writes several products with one request",
            probe -> {
              int quantity = probe.quantity();
              List<Integer> pids = probe.target().products().subList(0, 2);
              write(
                  probe,
                  pids.stream()
                      .map(pid -> Stock.group(pid, Stock.BEFORE, "36", quantity))
                      .toArray(String[]::new));
              pids.forEach(pid -> probe.requireStock(pid, Stock.BEFORE, 36, quantity));
            },
            Need.TWO_PRODUCTS),
        settled(
            "create.again",
            "sets the quantity of an existing entry and keeps its guid",
            CreateRules::again,
            Need.PRODUCT),
        owed(
            "create.barcode",
            "returns a barcode that was sent, and null if there is none",
            CreateRules::barcode,
            Need.PRODUCT),
        settled(
            "create.barcode-kept",
            "keeps the barcode of an entry if a create sends none",
            probe -> {
              int pid = probe.product();
              write(probe, coded(pid, probe.quantity()));
              write(probe, Stock.group(pid, Stock.BEFORE, "37", probe.quantity()));
              requireCode(probe, code(pid));
            },
            Need.PRODUCT),
        settled(
            "create.color-kept",
            "trims a color and normalizes it to Unicode NFC, so that two spellings are one color",
            probe -> {
              int pid = probe.product();
              int quantity = probe.quantity();
              write(probe, Stock.group(pid, Stock.ACCENT, "36", quantity));
              write(probe, Stock.group(pid, "  conform e\u0301 ", "36", quantity + 1));
              probe.requireStock(pid, Stock.ACCENT, 36, quantity + 1);
            },
            Need.PRODUCT),
        owed(
            "create.missing",
            "responds to a product that does not exist with success false and a message",
            probe -> probe.create(Stock.harmless()).fails()),
        settled(
            "create.missing-all",
            "names every product that does not exist",
            probe -> {
              int other = Probe.MISSING - 1;
              Answer answer =
                  probe
                      .create(
                          Stock.list(
                              Stock.group(Probe.MISSING, "conform", "36", 1),
                              Stock.group(other, "conform", "36", 1)))
                      .hasStatus(200);
              answer.require(
                  answer.msg().contains("" + Probe.MISSING) && answer.msg().contains("" + other),
                  "msg does not name both " + Probe.MISSING + " and " + other);
            }),
        settled(
            "create.foreign",
            "responds to another merchant's product exactly as to one that does not exist",
            probe -> {
              int foreign = Objects.requireNonNull(probe.target().foreignProduct());
              String missing =
                  StockListRules.unnumbered(probe.create(Stock.harmless()), Probe.MISSING);
              // quantity 0 in a color of ours: minimal harm if a server lets it through
              String body = Stock.list(Stock.group(foreign, Stock.BEFORE, "36", 0));
              Answer answer = probe.create(body);
              answer.require(
                  StockListRules.unnumbered(answer, foreign).equals(missing),
                  "the response should be " + missing);
            },
            Need.FOREIGN_PRODUCT),
        settled(
            "create.nothing-on-400",
            "writes nothing if one element is invalid",
            probe -> {
              String bad = Stock.group(probe.product(), Stock.BEFORE, "36.5", 1);
              allOrNothing(probe, bad, true);
            },
            Need.PRODUCT),
        settled(
            "create.nothing-on-failure",
            "writes nothing if one product does not exist",
            probe -> allOrNothing(probe, Stock.group(Probe.MISSING, "conform", "36", 1), false),
            Need.PRODUCT));
  }

  private static void write(Probe probe, String... groups) {
    probe.create(Stock.list(groups)).succeeds();
  }

  private static boolean isRange(JsonNode entry) {
    return entry.path("color").asString("").equals(Stock.RANGE);
  }

  private static void again(Probe probe) {
    int pid = probe.product();
    int quantity = probe.quantity();
    write(probe, Stock.group(pid, Stock.BEFORE, "36", quantity));
    JsonNode first = probe.entry(pid, Stock.BEFORE, 36);
    write(probe, Stock.group(pid, Stock.BEFORE, "36", quantity + 1));
    JsonNode second = probe.entry(pid, Stock.BEFORE, 36);
    if (second.path("stock").asInt(-1) != quantity + 1) {
      throw new RuleViolation(
          "expected %d, found %s".formatted(quantity + 1, second.path("stock")));
    }
    if (!second.path("guid").equals(first.path("guid"))) {
      throw new RuleViolation("its guid was " + first.path("guid").asString(""));
    }
  }

  private static void barcode(Probe probe) {
    int pid = probe.product();
    write(
        probe,
        Stock.group(pid, Stock.BEFORE, "36", probe.quantity()),
        coded(pid, probe.quantity()));
    requireCode(probe, code(pid));
    if (!probe.entry(pid, Stock.BEFORE, 36).path("barCode").isNull()) {
      throw new RuleViolation("the barCode of size 36 is not null, although none was sent");
    }
  }

  private static void requireCode(Probe probe, String expected) {
    String found = probe.entry(probe.product(), Stock.BEFORE, 37).path("barCode").asString("null");
    if (!found.equals(expected)) {
      throw new RuleViolation(
          "expected the barCode %s on size 37, found %s".formatted(expected, found));
    }
  }

  private static String code(int pid) {
    return "CONFORM-" + pid;
  }

  private static String coded(int pid, int quantity) {
    return Stock.group(pid, Stock.quoted(Stock.BEFORE), sized("\"37\"", quantity, code(pid)));
  }

  private static String sized(String size, int quantity, String code) {
    return "{\"size\":%s,\"stock\":%d,\"barCode\":\"%s\"}".formatted(size, quantity, code);
  }

  /** Sends a request with a valid and an invalid part; the valid part must not be written. */
  private static void allOrNothing(Probe probe, String bad, boolean isFormFault) {
    int pid = probe.product();
    int before = probe.quantity();
    write(probe, Stock.group(pid, Stock.BEFORE, "36", before));
    String body = Stock.list(Stock.group(pid, Stock.BEFORE, "36", before + 1), bad);
    Answer answer = isFormFault ? probe.badCreate(body) : probe.create(body);
    answer.hasStatus(isFormFault ? 400 : 200);
    probe.requireStock(pid, Stock.BEFORE, 36, before);
  }
}
