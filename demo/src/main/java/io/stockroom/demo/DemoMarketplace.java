package io.stockroom.demo;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Three merchants with three hundred products, the same every time. */
public final class DemoMarketplace {
  private DemoMarketplace() {}

  /**
   * Creates the marketplace.
   *
   * @param baseUrl the URL of the server that draws the pictures, such as {@code
   *     http://localhost:8080}
   */
  public static List<Merchant> merchants(String baseUrl) {
    String server = baseUrl.endsWith("/") ? baseUrl.substring(0, baseUrl.length() - 1) : baseUrl;
    return List.of(
        merchant(
            new Maker(1, "Wenzhou Buyuntang Shoes", "buyuntang", "步云堂男鞋", "A", 8801),
            ProductLine.MENS_SHOES,
            120,
            server),
        merchant(
            new Maker(2, "Chengdu Luoyi Footwear", "luoyi", "洛依女鞋旗舰店", "LY", 2601),
            ProductLine.WOMENS_SHOES,
            100,
            server),
        merchant(
            new Maker(3, "Jinjiang Jifeng Sports", "jifeng", "疾峰运动工厂店", "JF", 7012),
            ProductLine.SPORTS_SHOES,
            80,
            server));
  }

  private static Merchant merchant(
      Maker maker, List<ProductLine> lines, int products, String server) {
    return new Merchant(
        maker.name(),
        maker.storeUrl(),
        maker.storeName(),
        IntStream.range(0, products)
            .mapToObj(place -> new DemoProductFactory(maker, lines, place, server).product())
            .toList());
  }

  public record Merchant(String name, String storeUrl, String storeName, List<Product> products) {
    public Merchant {
      products = List.copyOf(products);
    }
  }

  /**
   * A product with all its fields.
   *
   * @param description an HTML fragment
   * @param imgs picture URLs, the main one first
   * @param price with two decimals
   * @param categoryIdTree from the root to the leaf, separated by commas
   * @param categoryNameTree the names of the same categories in the same order
   * @param video a URL, or empty
   * @param colors the stock; empty for a product without stock
   */
  public record Product(
      String artNo,
      String title,
      String description,
      List<String> imgs,
      BigDecimal price,
      String categoryIdTree,
      String categoryNameTree,
      List<Attribute> attributes,
      String video,
      List<Color> colors) {
    public Product {
      imgs = List.copyOf(imgs);
      attributes = List.copyOf(attributes);
      colors = List.copyOf(colors);
    }
  }

  public record Attribute(String name, String value) {}

  /**
   * A color of a product with its sizes.
   *
   * @param picture the URL of the product's picture in this color
   */
  public record Color(String name, String picture, List<Entry> entries) {
    public Color {
      entries = List.copyOf(entries);
    }
  }

  public record Entry(int size, int quantity, @Nullable String barCode) {}

  /**
   * A merchant's name and numbering.
   *
   * @param number unique for each maker; its bar codes start with it
   * @param letters the prefix of its item numbers
   * @param firstItem the number of its first item
   */
  record Maker(
      int number, String name, String storeUrl, String storeName, String letters, int firstItem) {}
}
