package io.stockroom.lab.bench;

import io.stockroom.lab.Laboratory;
import io.stockroom.protocol.Size;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Runs the same SQL without a server: with pgbench, as prepared statements. */
final class Twin {
  private static final int THREADS = 2;
  private static final Pattern RATE = Pattern.compile("(?m)^tps = ([0-9.]+)");

  /** Numbers of colors that only twins use; smaller ones are those of requests. */
  private static final int FIRST_COLOR = 1000;

  private static final int LAST_COLOR = 32_000;

  private final Laboratory laboratory;
  private final Marketplace market;

  Twin(Laboratory laboratory, Marketplace market) {
    if (!Laboratory.has("pgbench")) {
      throw new IllegalStateException(
          "pgbench is missing (Debian: apt install postgresql-contrib).");
    }
    this.laboratory = laboratory;
    this.market = market;
  }

  static Path file(Operation operation) {
    return Laboratory.home().resolve("lab/twins").resolve(operation.twin());
  }

  /** Returns the number of transactions per second. */
  double rate(Operation operation, int connections, int seconds) {
    List<String> command =
        new ArrayList<>(List.of("pgbench", "--no-vacuum", "--protocol=prepared"));
    command.add("--client=" + connections);
    command.add("--jobs=" + Math.min(THREADS, connections));
    command.add("--time=" + seconds);
    Map<String, Object> variables = new LinkedHashMap<>(market.numbers());
    for (Operation.Share share : operation.shares()) {
      command.add("--file=" + file(share.operation()) + "@" + share.percent());
      variables.putAll(settings());
      if (share.operation().creates()) {
        variables.putAll(create(share.operation(), connections));
      }
    }
    variables.put("color_name", market.colors().getFirst());
    variables.forEach((name, value) -> command.add("--define=" + name + "=" + value));
    String output = laboratory.processes().run(command, login());
    Matcher rate = RATE.matcher(output);
    if (!rate.find() || output.contains("aborted")) {
      throw new IllegalStateException("pgbench failed:\n" + output);
    }
    return Double.parseDouble(rate.group(1));
  }

  private Map<String, String> login() {
    String url = market.sql().url();
    return Map.of(
        "PGHOST", "127.0.0.1",
        "PGPORT", url.replaceAll(".*:(\\d+)/.*", "$1"),
        "PGUSER", market.sql().user(),
        "PGDATABASE", "stockroom",
        "PGPASSWORD", market.sql().password(),
        "PGOPTIONS", "-c jit=off",
        "LC_ALL", "C");
  }

  /** What the server takes from settings and requests. */
  private static Map<String, Object> settings() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("fixed_time", "-infinity");
    values.put("zone", "UTC");
    values.put("grace", "P7D");
    values.put("publish", "P90D");
    values.put("store", "P3M");
    values.put("bound_store", "shop");
    values.put("actor", "app_0123456789abc");
    values.put("action", "stock.create");
    values.put("source", "interface");
    values.put("subject", "100001, 100002, 100003, 100004, 100006 and 50 more");
    values.put("details", "1 entries");
    values.put("address", "127.0.0.1");
    values.put("limit", 1);
    values.put("window_millis", 0);
    values.put("life_seconds", 30);
    values.put("lock_wait", 2000);
    values.put("barcodes", "{}");
    values.put("endpoint", "/Stock/Creat");
    // the server sends an empty text, which pgbench does not accept
    values.put("code", "-");
    values.put("body_hash", "\\x" + "5a".repeat(32));
    values.put("answer", "{\"success\":true,\"msg\":\"\"}");
    return values;
  }

  /** What a create has besides: arrays, which pgbench cannot build. */
  private Map<String, Object> create(Operation operation, int connections) {
    int products = operation.products();
    int colors = products == 1 ? 1 : Marketplace.COLORS;
    int sizes = products == 1 ? 1 : Marketplace.SIZES;
    int perProduct = colors * sizes;
    int entries = products * perProduct;
    int group = Marketplace.GROUP;
    int each = (LAST_COLOR - FIRST_COLOR) / connections;
    Map<String, Object> values = new LinkedHashMap<>();
    int span = products == 1 ? group : products / (group - 1) * group;
    values.put("window_span", span);
    values.put("windows", Math.max(1, market.number("asked_per_merchant") / span));
    values.put("entries", entries);
    values.put("batch_colors", colors);
    values.put("first_color", FIRST_COLOR);
    values.put("colors_per_client", each - each % colors);
    values.put("clients", connections);
    values.put("counter", Instant.now().getEpochSecond() * 100_000);
    values.put("details", entries + " entries");
    values.put("offsets", array(products, Twin::offset));
    values.put("entry_offsets", array(entries, i -> offset(i / perProduct)));
    values.put("entry_colors", array(entries, i -> i % perProduct / sizes));
    values.put("entry_size_texts", array(entries, i -> Marketplace.FIRST_SIZE + i % sizes));
    values.put(
        "entry_sizes", array(entries, i -> Size.of(Marketplace.FIRST_SIZE + i % sizes).rank()));
    values.put("color_offsets", array(products * colors, i -> offset(i / colors)));
    values.put("colors", array(products * colors, i -> i % colors));
    // no query looks entries up by guid, so a twin may reuse them
    values.put(
        "guids",
        "{%s}"
            .formatted(
                String.join(
                    ",", Collections.nCopies(entries, "018f3b5a7c1e7d2a9b3c4d5e6f708192"))));
    return values;
  }

  /** The offset of the product with stock of this index from the first one of a window. */
  private static int offset(int index) {
    int stocked = Marketplace.GROUP - 1;
    return index / stocked * Marketplace.GROUP + index % stocked;
  }

  private static String array(int count, IntFunction<?> element) {
    return IntStream.range(0, count)
        .mapToObj(i -> element.apply(i).toString())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
