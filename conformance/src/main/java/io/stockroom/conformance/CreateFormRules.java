package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;
import static io.stockroom.conformance.Stock.group;
import static io.stockroom.conformance.Stock.item;
import static io.stockroom.conformance.Stock.list;
import static io.stockroom.conformance.Stock.quoted;

import java.util.List;

/**
 * {@code POST /Stock/Creat}: valid and invalid values. Every request names a product that does not
 * exist, so a valid one gets 200 and writes nothing.
 */
final class CreateFormRules {
  private static final String COLOR = "\"conform\"";

  private CreateFormRules() {}

  static List<Rule> rules() {
    return List.of(
        owed(
            "form.groups-inside",
            "accepts 300 color groups in a request",
            probe -> probe.create(Stock.groups(300)).hasStatus(200)),
        owed(
            "form.groups-outside",
            "rejects 301 color groups with 400",
            probe -> probe.badCreate(Stock.groups(301)).rejected()),
        settled(
            "form.entries-inside",
            "accepts 10,000 entries in a request, with ranges expanded",
            probe -> probe.create(Stock.entries(10_000)).hasStatus(200)),
        settled(
            "form.entries-outside",
            "rejects 10,001 entries with 400",
            probe -> probe.badCreate(Stock.entries(10_001)).rejected()),
        owed(
            "form.size-format",
            "rejects a size that is neither <n> nor <n>-<m> with 400",
            probe -> {
              for (String size :
                  List.of("", "M", "36.5", "36-", "-36", "36-37-38", "36,37", "36 37", "三十六")) {
                bad(probe, quoted(size), "1");
              }
              bad(probe, "36.0", "1");
              bad(probe, "3.6e1", "1");
            }),
        settled(
            "form.size-number",
            "accepts a size that is a JSON integer, as the stock list returns it",
            probe -> probe.create(list(missing(item("36", "1")))).hasStatus(200)),
        settled(
            "form.size-inside",
            "accepts the sizes 1 and 999, and a range of 100 sizes",
            probe ->
                probe
                    .create(
                        list(
                            missing(item("\"1\"", "1") + "," + item("\"999\"", "1")),
                            group(Probe.MISSING, "conform range", "101-200", 1)))
                    .hasStatus(200)),
        settled(
            "form.size-outside",
            "rejects the sizes 0 and 1000, a range of 101 sizes and a reversed range with 400",
            probe -> {
              for (String size : List.of("0", "1000", "100-200", "40-36")) {
                bad(probe, quoted(size), "1");
              }
            }),
        settled(
            "form.stock-inside",
            "accepts the quantities 0 and 2147483647",
            probe ->
                probe
                    .create(list(missing(item("\"1\"", "0") + "," + item("\"2\"", "2147483647"))))
                    .hasStatus(200)),
        owed(
            "form.stock-outside",
            "rejects a quantity that is not a whole number from 0 to 2147483647 with 400",
            probe -> {
              for (String stock :
                  List.of("-1", "2147483648", "3.5", "3.0", "\"3\"", "null", "true")) {
                bad(probe, "\"36\"", stock);
              }
            }),
        settled(
            "form.color-inside",
            "accepts a color of 64 characters",
            probe -> probe.create(color(quoted("红".repeat(64)))).hasStatus(200)),
        settled(
            "form.color-outside",
            "rejects a color that is empty, blank, longer than 64 characters or has control"
                + " characters with 400",
            probe -> {
              for (String color : List.of("", "  ", "红".repeat(65), "a\\u0007b")) {
                probe.badCreate(color("\"" + color + "\"")).rejected("color '" + color + "'");
              }
            }),
        owed(
            "form.field-missing",
            "rejects a group without color, pid or param, or a size without size or stock, with"
                + " 400",
            probe -> {
              String items = "\"param\":[" + item("\"36\"", "1") + "]";
              String pid = "\"pid\":" + Probe.MISSING;
              probe.badCreate("[{" + pid + "," + items + "}]").rejected("without color");
              probe.badCreate("[{\"color\":\"x\"," + items + "}]").rejected("without pid");
              probe.badCreate("[{\"color\":\"x\"," + pid + "}]").rejected("without param");
              probe.badCreate(list(missing("{\"stock\":1}"))).rejected("without size");
              probe.badCreate(list(missing("{\"size\":\"36\"}"))).rejected("without stock");
            }),
        owed(
            "form.field-type",
            "rejects a pid, color or param of another JSON type with 400",
            probe -> {
              String good = list(missing(item("\"36\"", "1")));
              for (String pid : List.of("\"7\"", "7.5", "0", "null")) {
                String body = good.replace("\"pid\":" + Probe.MISSING, "\"pid\":" + pid);
                probe.badCreate(body).rejected("pid " + pid);
              }
              probe.badCreate(color("7")).rejected("color 7");
              probe.badCreate("[7]").rejected("a number for a group");
            }),
        settled(
            "form.field-misspelled",
            "rejects a field that differs from an absent known one only in case or by one letter"
                + " with 400",
            probe -> {
              String code = "{\"size\":\"36\",\"stock\":1,\"barcode\":\"C-2\"}";
              probe.badCreate(list(missing(code))).rejected("barcode");
              String good = list(missing(item("\"36\"", "1")));
              probe.badCreate(good.replace("color", "colour")).rejected("colour");
            }),
        settled(
            "form.field-unknown",
            "accepts and ignores other unknown fields",
            probe -> {
              String good = list(missing(item("\"36\"", "1")));
              String more = "{\"note\":1,\"id\":1,\"pic\":\"\",\"colors\":1,\"color\"";
              probe.create(good.replace("{\"color\"", more)).hasStatus(200);
            }),
        settled(
            "form.empty",
            "rejects an empty array and an empty param with 400",
            probe -> {
              probe.badCreate("[]").rejected("[]");
              probe.badCreate(list(missing(""))).rejected("an empty param");
            }),
        settled(
            "form.entry-repeated",
            "rejects a repeated color and size, also in overlapping ranges, with 400",
            probe -> {
              String twice = item("\"36\"", "1") + "," + item("\"36\"", "2");
              probe.badCreate(list(missing(twice))).rejected("36 and 36");
              String overlapping = item("\"36-38\"", "1") + "," + item("\"38-40\"", "2");
              probe.badCreate(list(missing(overlapping))).rejected("36-38 and 38-40");
            }),
        settled(
            "form.barcode-on-range",
            "rejects a barcode on a range of several sizes with 400",
            probe ->
                probe
                    .badCreate(
                        list(missing("{\"size\":\"36-37\",\"stock\":1,\"barCode\":\"C-1\"}")))
                    .rejected()));
  }

  private static String missing(String items) {
    return group(Probe.MISSING, COLOR, items);
  }

  private static String color(String color) {
    return list(group(Probe.MISSING, color, item("\"36\"", "1")));
  }

  private static void bad(Probe probe, String size, String stock) {
    probe
        .badCreate(list(missing(item(size, stock))))
        .rejected("size %s, stock %s".formatted(size, stock));
  }
}
