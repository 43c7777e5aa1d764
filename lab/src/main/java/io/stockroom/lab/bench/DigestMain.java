package io.stockroom.lab.bench;

import io.stockroom.lab.bench.Marketplace.Account;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code lab/digest}: how long the digest of a large merchant takes. */
@Command(
    name = "lab/digest",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures POST /Stock/Digest for a merchant with 20 entries per product (--products 50000:"
          + " 1,000,000 entries).",
      "The first time all digests are computed; then after changes in 10 blocks of 256 products;"
          + " then without changes."
    },
    footer = {"Example:", "  lab/digest --products 50000 --rounds 20"})
final class DigestMain extends Trial {
  private static final int BLOCKS = 10;
  private static final int PRODUCTS_PER_BLOCK = 256;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each case is measured (default: 20).")
  int rounds = 20;

  public static void main(String[] arguments) {
    main("lab/digest", new DigestMain(), arguments);
  }

  @Override
  void check() {
    if (rounds < 1) {
      throw new BenchException("--rounds must be at least 1.");
    }
  }

  @Override
  void tryOut(ServerUnderTest server, Requests requests) throws IOException, SQLException {
    Account account = requests.market().accounts().getFirst();
    byte[] digest = requests.form(account, "/Stock/Digest", "");
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        HttpConnection http = new HttpConnection(server.port())) {
      List<Integer> products = products(statement, account);
      System.out.printf(Locale.ROOT, "%,d entries%n", entries(statement, account));
      List<Double> first = new ArrayList<>();
      List<Double> changed = new ArrayList<>();
      List<Double> unchanged = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        var _ = statement.execute("delete from stock_digest_block");
        var _ = statement.execute("delete from stock_digest");
        first.add(millis(http, digest));
      }
      for (int round = 0; round < rounds; round++) {
        for (int block = 0; block < BLOCKS; block++) {
          int at = (int) ((long) (products.size() - 1) * block / BLOCKS);
          send(http, requests.setStock(account, products.get(at)));
        }
        changed.add(millis(http, digest));
        unchanged.add(millis(http, digest));
      }
      print("computed for the first time", first);
      print("after changes in %d blocks".formatted(BLOCKS), changed);
      print("without changes", unchanged);
    }
  }

  private static List<Integer> products(Statement statement, Account account) throws SQLException {
    List<Integer> products = new ArrayList<>();
    try (ResultSet row =
        statement.executeQuery(
            """
            select min(product_id) from product where merchant_id = %d and has_stock
            group by product_id / %d order by 1
            """
                .formatted(account.merchantId(), PRODUCTS_PER_BLOCK))) {
      while (row.next()) {
        products.add(row.getInt(1));
      }
    }
    return products;
  }

  private static long entries(Statement statement, Account account) throws SQLException {
    String sql = "select count(*) from stock_entry where merchant_id = " + account.merchantId();
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static double millis(HttpConnection http, byte[] request) throws IOException {
    long start = System.nanoTime();
    send(http, request);
    return (System.nanoTime() - start) / 1e6;
  }

  private static void send(HttpConnection http, byte[] request) throws IOException {
    if (!http.send(request)) {
      throw new BenchException("The server answered " + http.answer());
    }
  }

  /** The very first call also loads the code, so it is named separately. */
  private static void print(String name, List<Double> millis) {
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    System.out.printf(
        Locale.ROOT,
        "%-28s p50 %7.1f ms, p90 %7.1f ms, max %7.1f ms; the first call %7.1f ms%n",
        name,
        sorted[sorted.length / 2],
        sorted[(int) (sorted.length * 0.9)],
        Arrays.stream(sorted).max().orElse(0),
        millis.getFirst());
  }
}
