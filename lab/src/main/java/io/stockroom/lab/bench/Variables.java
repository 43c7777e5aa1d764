package io.stockroom.lab.bench;

import io.stockroom.protocol.Size;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The external variables of twins; the scripts draw all others themselves. */
final class Variables {
  /** The cache answers a repeated page, so the check of the twins needs several. */
  private static final int MAX_DEEP_PAGES = 10;

  private static final int FIRST_TWIN_COLOR = 1000;
  private static final int LAST_COLOR = 32_000;

  private Variables() {}

  /** The numeric variables. */
  static Map<String, Long> numbers(Marketplace market, Operation operation, int connections) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put("merchants", (long) market.merchants());
    numbers.put("per_merchant", (long) market.perMerchant());
    numbers.put("large_merchant", (long) market.firstMerchantId());
    numbers.put("asked_per_merchant", (long) market.askedPerMerchant());
    numbers.put("asked_of_large", (long) market.askedOfLarge());
    numbers.put("first_merchant", market.firstMerchantId() + 1L);
    numbers.put("first_product", (long) market.firstProductId() + market.largeProducts());
    numbers.put("page_size", (long) Marketplace.PAGE_SIZE);
    numbers.put("deep_page", (long) market.deepPage());
    numbers.put("deep_pages", (long) Math.min(MAX_DEEP_PAGES, market.deepPage()));
    numbers.put("applications", (long) Marketplace.APPLICATIONS);
    numbers.put("first_application", (long) market.firstApplicationId());
    numbers.put("first_token", market.firstTokenId() + 1L);
    numbers.put("clients", (long) connections);
    numbers.put("counter", Instant.now().getEpochSecond() * 100_000);
    int products = operation.products();
    if (products > 0) {
      int span =
          products == 1
              ? Marketplace.GROUP
              : products / (Marketplace.GROUP - 1) * Marketplace.GROUP;
      int batchColors = products == 1 ? 1 : Marketplace.COLORS;
      numbers.put("window_span", (long) span);
      numbers.put("windows", (long) Math.max(1, market.askedPerMerchant() / span));
      numbers.put("entries", (long) entries(operation));
      numbers.put("batch_colors", (long) batchColors);
      numbers.put("first_color", (long) FIRST_TWIN_COLOR);
      int each = (LAST_COLOR - FIRST_TWIN_COLOR) / connections;
      numbers.put("colors_per_client", (long) (each - each % batchColors));
      numbers.put("limit", 1L);
      numbers.put("window_millis", 0L);
      numbers.put("life_seconds", Requests.WINDOW.toSeconds() * 2 + 60);
    }
    return numbers;
  }

  /** The text variables: what the server takes from settings and requests. */
  static Map<String, String> texts(Operation operation) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("fixed_time", "-infinity");
    texts.put("zone", "UTC");
    texts.put("grace", "P7D");
    texts.put("publish", "P90D");
    texts.put("store", "P3M");
    texts.put("bound_store", Marketplace.STORE);
    if (operation.creates() || operation == Operation.ADJUST_1) {
      texts.put("actor", "app_0123456789abc");
      texts.put("action", operation.creates() ? "stock.create" : "stock.adjust");
      texts.put("source", "interface");
      texts.put("subject", "100001, 100002, 100003, 100004, 100006 and 50 more");
      texts.put("details", entries(operation) + " entries");
      texts.put("address", "127.0.0.1");
    }
    if (operation.creates()) {
      int products = operation.products();
      int perProduct = entries(operation) / products;
      int perColor = products == 1 ? 1 : Marketplace.SIZES;
      int colors = perProduct / perColor;
      int entries = entries(operation);
      texts.put("offsets", array(products, Variables::offset));
      texts.put("entry_offsets", array(entries, i -> offset(i / perProduct)));
      texts.put("entry_colors", array(entries, i -> i % perProduct / perColor));
      texts.put("entry_size_texts", array(entries, i -> Marketplace.FIRST_SIZE + i % perColor));
      texts.put(
          "entry_sizes", list(entries, i -> Size.of(Marketplace.FIRST_SIZE + i % perColor).rank()));
      texts.put("color_offsets", array(products * colors, i -> offset(i / colors)));
      texts.put("colors", array(products * colors, i -> i % colors));
      texts.put("guids", guids(entries));
      texts.put("barcodes", "{}");
      texts.put("lock_wait", "2000");
      texts.put("endpoint", "/Stock/Creat");
      // the server sends an empty text, which pgbench does not accept
      texts.put("code", "-");
      texts.put("body_hash", "\\x" + "5a".repeat(32));
      texts.put("answer", "{\"success\":true,\"msg\":\"\"}");
    }
    return texts;
  }

  /** The number of entries in one create. */
  static int entries(Operation operation) {
    return operation.products() <= 1
        ? 1
        : operation.products() * Marketplace.COLORS * Marketplace.SIZES;
  }

  /** The offset of the product with stock of this index from the first one of a window. */
  static int offset(int index) {
    return index / (Marketplace.GROUP - 1) * Marketplace.GROUP + index % (Marketplace.GROUP - 1);
  }

  private static String array(int count, IntUnaryOperator element) {
    return list(count, i -> Integer.toString(element.applyAsInt(i)));
  }

  private static String list(int count, IntFunction<String> element) {
    return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(",", "{", "}"));
  }

  /** No query looks entries up by guid, so a twin may reuse them. */
  private static String guids(int count) {
    return "{"
        + String.join(",", Collections.nCopies(count, "018f3b5a7c1e7d2a9b3c4d5e6f708192"))
        + "}";
  }
}
