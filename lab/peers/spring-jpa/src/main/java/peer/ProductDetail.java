package peer;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The data of a product detail. */
public record ProductDetail(
    String categoryIdTree,
    String categoryNameTree,
    String description,
    List<String> imgs,
    BigDecimal price,
    String outerId,
    String picUrl,
    List<Product.Attribute> attributes,
    List<Sku> skus,
    String storeUrl,
    String storeName,
    String title,
    String video) {
  /** A color; sizes and quantities are side by side. */
  public record Sku(String color, String size, String stockNum, String skuImg) {}

  static ProductDetail of(Product product, List<StockEntry> entries) {
    Merchant merchant = product.getMerchant();
    return new ProductDetail(
        product.getCategoryIdTree(),
        product.getCategoryNameTree(),
        product.getDescription(),
        List.copyOf(product.getImages()),
        product.getPrice(),
        merchant.getStoreUrl() + "/" + product.getArtNo() + "/" + product.getPrice(),
        product.getPic(),
        List.copyOf(product.getAttributes()),
        skus(entries),
        merchant.getStoreUrl(),
        merchant.getStoreName(),
        product.getTitle(),
        product.getVideo());
  }

  private static List<Sku> skus(List<StockEntry> entries) {
    Map<ProductColor, List<StockEntry>> byColor =
        entries.stream()
            .collect(
                Collectors.groupingBy(
                    StockEntry::getColor, LinkedHashMap::new, Collectors.toList()));
    List<Sku> skus = new ArrayList<>();
    byColor.forEach(
        (color, sizes) ->
            skus.add(
                new Sku(
                    color.getName(),
                    joined(sizes, StockEntry::getSize),
                    joined(sizes, StockEntry::getQuantity),
                    color.getImageUrl())));
    return skus;
  }

  private static String joined(List<StockEntry> entries, Function<StockEntry, Integer> number) {
    return entries.stream()
        .map(entry -> number.apply(entry).toString())
        .collect(Collectors.joining(","));
  }
}
