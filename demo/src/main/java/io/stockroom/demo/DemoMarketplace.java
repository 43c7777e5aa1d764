package io.stockroom.demo;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Three merchants with three hundred products, the same every time. */
public final class DemoMarketplace {
  private DemoMarketplace() {}

  public static List<Merchant> merchants() {
    return List.of(
        new Merchant(
            new Maker(1, "Wenzhou Buyuntang Shoes", "buyuntang", "步云堂男鞋", "A", 8801),
            ProductLine.MENS_SHOES,
            120),
        new Merchant(
            new Maker(2, "Chengdu Luoyi Footwear", "luoyi", "洛依女鞋旗舰店", "LY", 2601),
            ProductLine.WOMENS_SHOES,
            100),
        new Merchant(
            new Maker(3, "Jinjiang Jifeng Sports", "jifeng", "疾峰运动工厂店", "JF", 7012),
            ProductLine.SPORTS_SHOES,
            80));
  }

  /** A merchant, whose products are made when it is known where their pictures are. */
  public static final class Merchant {
    private final Maker maker;
    private final List<ProductLine> lines;
    private final int products;

    private Merchant(Maker maker, List<ProductLine> lines, int products) {
      this.maker = maker;
      this.lines = lines;
      this.products = products;
    }

    public String name() {
      return maker.name;
    }

    public String storeUrl() {
      return maker.storeUrl;
    }

    public String storeName() {
      return maker.storeName;
    }

    /**
     * The products, the same every time.
     *
     * @param pictures finds the address of a drawing, such as {@code loafer-brown}
     */
    public List<Product> products(UnaryOperator<String> pictures) {
      return IntStream.range(0, products)
          .mapToObj(place -> new DemoProductFactory(maker, lines, place, pictures).product())
          .toList();
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
