package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates the marketplace to measure, or reuses the one of an earlier run. */
final class DataSet {
  /**
   * The size of the data set.
   *
   * @param products shared evenly; one more merchant has as many, so that there are deep pages
   */
  record Size(int merchants, int products) {
    private static final int MAX_MERCHANTS = 100;

    /** A create of 1,500 entries changes 60 products; of five, one has no stock. */
    private static final int MIN_PER_MERCHANT = 100;

    Size {
      if (merchants < 1 || products / merchants < MIN_PER_MERCHANT) {
        throw new BenchException(
            "--products must be at least %d, %d for each merchant, not %d."
                .formatted(MIN_PER_MERCHANT * merchants, MIN_PER_MERCHANT, products));
      }
    }

    /** 100 merchants, or fewer if each would have less than 100 of the products. */
    static int merchants(int products) {
      return Math.clamp(products / MIN_PER_MERCHANT, 1, MAX_MERCHANTS);
    }

    int perMerchant() {
      return products / merchants / Marketplace.GROUP * Marketplace.GROUP;
    }
  }

  private final Tools tools;
  private final Path stockroom;
  private final BenchFolder folder;

  DataSet(Tools tools, Path stockroom, BenchFolder folder) {
    this.tools = tools;
    this.stockroom = stockroom;
    this.folder = folder;
  }

  /** Fills the folder unless it already has exactly this data set; returns whether it did. */
  boolean prepare(Size size) throws IOException, InterruptedException {
    JsonNode kept = folder.content();
    if (kept.path("merchants").asInt() == size.merchants()
        && kept.path("products").asInt() == size.products()) {
      return false;
    }
    ServerUnderTest.endLeft(folder);
    folder.empty();
    int even = size.perMerchant() * size.merchants();
    tools.runVisibly(
        List.of(
            stockroom.toString(),
            "generate",
            "--merchants=" + (size.merchants() + 1),
            "--products=" + (even + size.products()),
            "--largest=" + size.products(),
            "--colors=" + Marketplace.COLORS,
            "--sizes=36-40",
            "--data=" + folder.data(),
            "--json"));
    return true;
  }

  /** Connects to the running server and creates an account for each merchant. */
  Marketplace open(Size size, ServerUnderTest server)
      throws IOException, InterruptedException, SQLException {
    JsonNode kept = folder.content();
    if (!kept.has("accounts")) {
      kept = accounts(size, server);
    }
    List<Marketplace.Account> accounts = new ArrayList<>();
    for (JsonNode each : kept.path("accounts")) {
      accounts.add(JsonMapper.shared().treeToValue(each, Marketplace.Account.class));
    }
    try (Connection connection = server.connect()) {
      return new Marketplace(
          size.merchants(),
          size.perMerchant(),
          size.products(),
          size.perMerchant(),
          size.products(),
          number(connection, "select min(merchant_id) from merchant"),
          number(connection, "select min(product_id) from product"),
          number(connection, "select min(application_id) from application"),
          number(connection, "select min(token_id) from access_token"),
          colors(connection),
          accounts);
    }
  }

  private ObjectNode accounts(Size size, ServerUnderTest server)
      throws IOException, InterruptedException, SQLException {
    int first;
    try (Connection connection = server.connect()) {
      first = number(connection, "select min(merchant_id) from merchant");
    }
    List<JsonNode> applications = new ArrayList<>();
    for (int i = 0; i < Marketplace.APPLICATIONS; i++) {
      applications.add(server.admin("applications", "{\"name\":\"bench " + i + "\"}"));
    }
    ObjectNode content = JsonMapper.shared().createObjectNode();
    content.put("merchants", size.merchants()).put("products", size.products());
    ArrayNode accounts = content.putArray("accounts");
    for (int i = 0; i <= size.merchants(); i++) {
      // the merchant with very many products comes first and shares the last application
      JsonNode application = applications.get(Math.floorMod(i - 1, Marketplace.APPLICATIONS));
      String appid = application.path("appid").asString();
      String body =
          "{\"appid\":\"%s\",\"merchantId\":%d,\"boundStore\":\"%s\"}"
              .formatted(appid, first + i, Marketplace.STORE);
      accounts
          .addObject()
          .put("merchantId", first + i)
          .put("appid", appid)
          .put("secret", application.path("secret").asString())
          .put("token", server.admin("tokens", body).path("accesstoken").asString());
    }
    folder.mark(content);
    return content;
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Every product with stock has the same colors, in a different order each. */
  private static List<String> colors(Connection connection) throws SQLException {
    List<String> colors = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select color from stock_color
                where (merchant_id, product_id) in (select min(merchant_id), min(product_id) from product)
                order by color_no limit %d
                """
                    .formatted(Marketplace.COLORS))) {
      while (row.next()) {
        colors.add(row.getString(1));
      }
    }
    return colors;
  }
}
