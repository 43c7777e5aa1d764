package io.stockroom.server.testing;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.catalogue.ProductEditor;
import io.stockroom.core.database.Database;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** A merchant that no other test uses, created through the admin API. */
public final class TestMerchant {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** More products than this are cheaper to import. */
  private static final int MAX_CREATED = 10;

  private final TestServer server;
  private final int id;
  private final String storeUrl;
  private final Api api;
  private final AtomicInteger articles = new AtomicInteger();

  private TestMerchant(TestServer server, String fields) {
    this.server = server;
    this.storeUrl = "store" + NUMBERS.incrementAndGet();
    this.id =
        made(Admin.of(server)
                .post(
                    "/admin/merchants",
                    """
                        {"name":"Merchant","storeUrl":"%s","storeName":"Store of Shoes"%s}"""
                        .formatted(storeUrl, fields)))
            .get("merchantId")
            .asInt();
    this.api = application();
  }

  /** A merchant with an application and a token, on the shared server. */
  public static TestMerchant fresh() {
    return on(TestServer.shared());
  }

  public static TestMerchant on(TestServer server) {
    return new TestMerchant(server, "");
  }

  /** A merchant whose data is in that cell. */
  public static TestMerchant in(String cell, TestServer server) {
    return new TestMerchant(server, ",\"cell\":\"" + cell + "\"");
  }

  public TestServer server() {
    return server;
  }

  public int id() {
    return id;
  }

  public String storeUrl() {
    return storeUrl;
  }

  /** The initial access of this merchant. */
  public Api api() {
    return api;
  }

  /** Another application with a token for this merchant. */
  public Api application() {
    JsonNode application =
        made(Admin.of(server).post("/admin/applications", "{\"name\":\"Listing tool\"}"));
    String appid = application.get("appid").asString();
    return new Api(server, appid, application.get("secret").asString(), token(appid, ""));
  }

  /** Another token of the first application; {@code fields} such as {@code "expires":"PT1S"}. */
  public Api token(String fields) {
    return new Api(server, api.appid(), api.secret(), token(api.appid(), "," + fields));
  }

  /** A token for this merchant, of an application that acts for another merchant. */
  public Api tokenOf(String appid, String secret) {
    return new Api(server, appid, secret, token(appid, ""));
  }

  private String token(String appid, String fields) {
    String body = "{\"appid\":\"%s\",\"merchantId\":%d%s}".formatted(appid, id, fields);
    return made(Admin.of(server).post("/admin/tokens", body)).get("accesstoken").asString();
  }

  /** Imports JSON Lines and waits for the end. */
  public Reply importProducts(String lines) {
    return imports().apply("products.jsonl", lines);
  }

  public TestImports imports() {
    return new TestImports(server, id);
  }

  /** Creates a product, as a person does in the console, and returns its id. */
  public int product() {
    return products(1).getFirst();
  }

  /** Creates products and returns their ids. */
  public List<Integer> products(int count) {
    return count <= MAX_CREATED && server.isHere() ? created(count) : importedProducts(count);
  }

  private List<Integer> created(int count) {
    ProductEditor editor = new ProductEditor(server.cells());
    List<Integer> ids = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        String artNo = "A" + articles.incrementAndGet();
        ProductEditor.Outcome made =
            editor.create(id, artNo, fields(artNo), Actor.operator("127.0.0.1"));
        ids.add(((ProductEditor.Outcome.Saved) made).productId());
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return ids;
  }

  /** The same fields as {@link #line}. */
  private static ProductEditor.Fields fields(String artNo) {
    return new ProductEditor.Fields(
        "Shoe " + artNo,
        "",
        new BigDecimal(59),
        List.of("http://pictures.example/%s.jpg".formatted(artNo)),
        "",
        "",
        List.of(),
        List.of(),
        "",
        null);
  }

  /** As {@link #products}, by an import, whatever their number. */
  public List<Integer> importedProducts(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(line("A" + articles.incrementAndGet())).append('\n');
    }
    Reply reply = importProducts(lines.toString());
    if (!reply.json().path("state").asString("").equals("applied")
        || reply.json().get("created").asInt() != count) {
      throw new IllegalStateException(reply.whole());
    }
    List<Integer> all = productIds();
    return all.subList(all.size() - count, all.size());
  }

  /** The minimal import line of a product. */
  public static String line(String artNo) {
    return """
    {"artNo":"%1$s","title":"Shoe %1$s","price":59,"imgs":["http://pictures.example/%1$s.jpg"]}"""
        .formatted(artNo);
  }

  /** The ids of all products, from the product list. */
  public List<Integer> productIds() {
    List<Integer> ids = new ArrayList<>();
    int pages = 1;
    for (int page = 1; page <= pages; page++) {
      Reply reply = api.products("page=" + page);
      reply.data().forEach(product -> ids.add(product.get("id").asInt()));
      pages = reply.json().get("totalPages").asInt();
    }
    return ids;
  }

  /** The number of this merchant's stock entries in the database. */
  public int entries() {
    return Integer.parseInt(
        texts("select count(*) from stock_entry where merchant_id = ?").getFirst());
  }

  /**
   * Where this merchant's counters differ from the actual counts, or its change log, replayed, from
   * its stock; empty if there are no differences.
   */
  public List<String> inconsistencies() {
    return texts(Consistency.sql(id));
  }

  /** The first column of the result of {@code sql}; its {@code ?} is this merchant's id. */
  public List<String> texts(String sql) {
    try {
      return texts(server.cells().of(id), sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As {@link #texts(String)}, from the directory. */
  public List<String> inDirectory(String sql) {
    return texts(server.directory(), sql);
  }

  private List<String> texts(Database database, String sql) {
    try {
      return database.read(
          connection -> {
            try (PreparedStatement statement =
                connection.prepareStatement(sql.replace("?", Integer.toString(id)))) {
              List<String> texts = new ArrayList<>();
              try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                  texts.add(String.valueOf(rows.getString(1)));
                }
              }
              return texts;
            }
          });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode made(Reply reply) {
    if (reply.status() != 201) {
      throw new IllegalStateException(reply.whole());
    }
    return reply.json();
  }
}
