package io.stockroom.lab.bench;

import io.stockroom.client.Credentials;
import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Operator;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The data set: many merchants with equally many products, and one, the first, with very many. Ids
 * are consecutive, so the inputs of requests and twins are simple arithmetic.
 *
 * @param accounts of the merchant with very many products, then of the others
 * @param numbers what twins and requests draw their inputs from
 */
record Marketplace(
    DirectSql sql, List<Credentials> accounts, List<String> colors, Map<String, Long> numbers) {
  static final int PAGE_SIZE = 50;
  static final int COLORS = 5;
  static final int SIZES = 5;
  static final int FIRST_SIZE = 36;

  /** The generator leaves the last of five consecutive products without stock. */
  static final int GROUP = 5;

  private static final int APPLICATIONS = 10;
  private static final int MAX_MERCHANTS = 100;

  /** A create of 1,500 entries changes 60 products. */
  private static final int MIN_PER_MERCHANT = 100;

  private static final Duration MAX_SUMMARIES = Duration.ofMinutes(10);

  /**
   * The console's summaries of products, written in the background; few changes wait for a page.
   */
  private static final String NOT_SUMMARIZED =
      """
      select count(*) from log_head l left join product_summary_head s using (merchant_id)
      where l.last_change - coalesce(s.number, 0) > 200 or s.rebuilt_to is not null
      """;

  private static int merchants(int products) {
    return Math.clamp(products / MIN_PER_MERCHANT, 1, MAX_MERCHANTS);
  }

  private static int perMerchant(int products) {
    return products / merchants(products) / GROUP * GROUP;
  }

  /** Fills the folder unless it has this marketplace. */
  static void generate(Laboratory laboratory, Path folder, int products) throws IOException {
    Path marker = folder.resolve("lab.products");
    if (products < MIN_PER_MERCHANT) {
      throw new IllegalStateException("--products must be at least " + MIN_PER_MERCHANT + ".");
    }
    if (Files.exists(marker)) {
      if (!Files.readString(marker).equals(Integer.toString(products))) {
        throw new IllegalStateException(folder + " has a marketplace of another size.");
      }
      return;
    }
    laboratory.say("Making a marketplace of %,d products …".formatted(2 * products));
    int merchants = merchants(products);
    var _ =
        laboratory
            .processes()
            .run(
                Laboratory.home().resolve("stockroom").toString(),
                "generate",
                "--merchants=" + (merchants + 1),
                "--products=" + (perMerchant(products) * merchants + products),
                "--largest=" + products,
                "--colors=" + COLORS,
                "--sizes=36-40",
                "--data=" + folder);
    Files.writeString(marker, Integer.toString(products));
  }

  /** Makes applications and a token for each merchant. */
  static Marketplace open(Server server, int products) {
    DirectSql sql = server.sql();
    Operator operator = server.operator();
    int firstMerchant = (int) sql.number("select min(merchant_id) from merchant");
    List<Credentials> applications = new ArrayList<>();
    for (int i = 0; i < APPLICATIONS; i++) {
      applications.add(operator.newApplication());
    }
    int merchants = merchants(products);
    List<Credentials> accounts = new ArrayList<>();
    for (int i = 0; i <= merchants; i++) {
      // the merchant with very many products shares the last application
      Credentials application = applications.get(Math.floorMod(i - 1, APPLICATIONS));
      accounts.add(operator.newToken(application, firstMerchant + i));
    }
    List<String> colors =
        sql.column(
            """
            select color from stock_color where (merchant_id, product_id) in (
              select min(merchant_id), min(product_id) from product)
            order by color_no limit %d
            """
                .formatted(COLORS));
    return new Marketplace(sql, accounts, colors, numbers(sql, products, firstMerchant));
  }

  private static Map<String, Long> numbers(DirectSql sql, int products, int firstMerchant) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    int merchants = merchants(products);
    String application =
        "select application_id from application order by 1 desc offset %d limit 1"
            .formatted(APPLICATIONS - 1);
    String token =
        "select token_id from access_token order by 1 desc offset %d limit 1"
            .formatted(merchants - 1);
    long deepPage = Math.clamp(products / PAGE_SIZE, 1, 1000);
    numbers.put("run", Instant.now().getEpochSecond());
    numbers.put("merchants", (long) merchants);
    numbers.put("per_merchant", (long) perMerchant(products));
    numbers.put("asked_per_merchant", (long) perMerchant(products));
    numbers.put("asked_of_large", (long) products);
    numbers.put("large_merchant", (long) firstMerchant);
    numbers.put("first_merchant", firstMerchant + 1L);
    numbers.put("first_product", sql.number("select min(product_id) from product") + products);
    numbers.put("page_size", (long) PAGE_SIZE);
    numbers.put("deep_page", deepPage);
    numbers.put("deep_pages", Math.min(10, deepPage));
    numbers.put("applications", (long) APPLICATIONS);
    numbers.put("first_application", sql.number(application));
    numbers.put("first_token", sql.number(token));
    return numbers;
  }

  long number(String name) {
    return Objects.requireNonNull(numbers.get(name));
  }

  /** Lets requests ask for so many products only: of all merchants, and of the large one. */
  void ask(int workingSet) {
    long each = Math.max(GROUP, workingSet / number("merchants") / GROUP * GROUP);
    numbers.computeIfPresent("asked_per_merchant", (_, all) -> Math.min(all, each));
    numbers.computeIfPresent("asked_of_large", (_, all) -> Math.min(all, workingSet));
  }

  /**
   * Waits until changed products are summarized, such as all of a new marketplace; otherwise that
   * work would be a part of the next measurement.
   */
  void awaitSummaries() {
    Await.until(
        MAX_SUMMARIES,
        "the summaries of products",
        () -> {
          Await.pause(Duration.ofMillis(200));
          return sql.number(NOT_SUMMARIZED) == 0;
        });
  }
}
