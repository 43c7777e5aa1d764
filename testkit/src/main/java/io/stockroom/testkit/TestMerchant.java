package io.stockroom.testkit;

import io.stockroom.client.Credentials;
import io.stockroom.client.SignatureMethod;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomClientBuilder;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.SizeItem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A merchant of a {@link StockroomServer}, with methods to add products, stock and limits. */
public final class TestMerchant {
  private static final JsonMapper JSON = new JsonMapper();

  private final StockroomServer server;
  private final Operator operator;
  private final int id;
  private final Credentials credentials;
  private final AtomicInteger articles = new AtomicInteger();

  TestMerchant(StockroomServer server, Operator operator, int id, String appid, String secret) {
    this.server = server;
    this.operator = operator;
    this.id = id;
    this.credentials = new Credentials(appid, secret, token(appid, id, Map.of()));
  }

  /** {@return the merchant's id} */
  public int id() {
    return id;
  }

  /** {@return the credentials of this merchant's application} */
  public Credentials credentials() {
    return credentials;
  }

  /** {@return a new client of this merchant's application} */
  public StockroomClient client() {
    return clientBuilder().build();
  }

  /** {@return the builder of a {@link #client()} with other settings} */
  public StockroomClientBuilder clientBuilder() {
    return StockroomClient.builder().address(server.address()).credentials(credentials);
  }

  /**
   * Issues another access token of the same application.
   *
   * @param fields the token's properties: {@code "boundStore"}, {@code "expires"} such as {@code
   *     "PT1H"}, {@code "scopes"} such as {@code List.of("stock:read")}
   * @return the token
   */
  public String token(Map<String, ?> fields) {
    return token(credentials.appid(), id, fields);
  }

  private String token(String appid, int merchantId, Map<String, ?> fields) {
    Map<String, Object> all = new HashMap<>(fields);
    all.put("appid", appid);
    all.put("merchantId", merchantId);
    return operator.create("/admin/tokens", all).get("accesstoken").asString();
  }

  /**
   * Adds a generated product.
   *
   * @return its id
   */
  public int addProduct() {
    return addProducts(1).getFirst();
  }

  /**
   * Adds generated products.
   *
   * @param count how many
   * @return their ids
   */
  public List<Integer> addProducts(int count) {
    List<Map<String, Object>> products = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String artNo = "T" + articles.incrementAndGet();
      products.add(Map.of("artNo", artNo, "title", "Product " + artNo, "price", 59));
    }
    return addProducts(products);
  }

  /**
   * Adds one product.
   *
   * @param artNo the item number
   * @param title the title
   * @param price the price
   * @return its id
   */
  public int addProduct(String artNo, String title, BigDecimal price) {
    return addProducts(List.of(Map.of("artNo", artNo, "title", title, "price", price))).getFirst();
  }

  /**
   * Adds products with the fields of the product detail, through an import.
   *
   * @param products the fields of each; {@code artNo}, {@code title} and {@code price} are required
   * @return their ids
   */
  public List<Integer> addProducts(List<? extends Map<String, ?>> products) {
    int before = productIds().size();
    String lines =
        products.stream().map(JSON::writeValueAsString).collect(Collectors.joining("\n"));
    String path = "/admin/merchants/" + id + "/imports?name=products.jsonl&apply=true&wait=true";
    JsonNode result = operator.send("POST", path, lines);
    if (result.get("created").asInt() != products.size()) {
      throw new IllegalArgumentException("some of these products already exist: " + result);
    }
    List<Integer> all = productIds();
    return List.copyOf(all.subList(before, all.size()));
  }

  /** Signed with HMAC, which every application may use. */
  private StockroomClient own() {
    return clientBuilder().signatureMethod(SignatureMethod.HMAC_SHA256).build();
  }

  private List<Integer> productIds() {
    try (StockroomClient client = own()) {
      return client.products().map(product -> product.id()).toList();
    }
  }

  /**
   * Adds stock to a product.
   *
   * @param pid the product's id
   * @param color the color
   * @param sizes one size {@code 36}, or a range {@code 36-40}
   * @param stock the quantity of each size
   */
  public void addStock(int pid, String color, String sizes, int stock) {
    try (StockroomClient client = own()) {
      var _ =
          client.createStock(
              List.of(new ColorGroup(color, pid, List.of(SizeItem.of(sizes, stock)))));
    }
  }

  /**
   * Sets a limit of this merchant only, by the name of its setting.
   *
   * @param name such as {@code limits.detail-per-day}
   * @param value such as {@code 3}
   */
  public void setLimit(String name, String value) {
    var _ =
        operator.send(
            "PUT",
            "/admin/merchants/" + id + "/limits",
            JSON.writeValueAsString(Map.of(name, value)));
  }

  /**
   * Requires the application to sign with HMAC, or lifts that requirement. The server may apply the
   * old value for another half second.
   *
   * @param required whether HMAC is required
   */
  public void requireHmac(boolean required) {
    var _ =
        operator.send(
            "PATCH",
            "/admin/applications/" + credentials.appid(),
            JSON.writeValueAsString(Map.of("requireHmac", required)));
  }
}
