package peer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import peer.ColorGroup.SizeItem;
import peer.Usage.CreateLimit;

/** Creates stock: all entries of a request or none. */
@Service
public class StockCreation {
  private static final int MAX_SIZES = 100;
  private static final int MAX_ENTRIES = 10_000;

  public record Answer(boolean success, String msg) {}

  private record Key(Integer productId, String color, int size) {}

  private record ColorKey(Integer productId, String color) {}

  private final ProductRepository products;
  private final ProductColorRepository colors;
  private final StockEntryRepository entries;
  private final CreateLimits limits;
  private final InterfaceSettings settings;
  private final Clock clock;

  public StockCreation(
      ProductRepository products,
      ProductColorRepository colors,
      StockEntryRepository entries,
      CreateLimits limits,
      InterfaceSettings settings,
      Clock clock) {
    this.products = products;
    this.colors = colors;
    this.entries = entries;
    this.limits = limits;
    this.settings = settings;
    this.clock = clock;
  }

  @Transactional
  public Answer create(Credential caller, List<ColorGroup> groups) {
    Map<Key, SizeItem> wanted = expanded(groups);
    spendLimit(caller);
    TreeSet<Integer> productIds =
        wanted.keySet().stream().map(Key::productId).collect(Collectors.toCollection(TreeSet::new));
    Map<Integer, Product> found =
        products.lock(caller.merchantId(), productIds).stream()
            .collect(Collectors.toMap(Product::getId, Function.identity()));
    if (found.size() < productIds.size()) {
      productIds.removeAll(found.keySet());
      String missing =
          productIds.stream().map(Object::toString).collect(Collectors.joining(", "));
      return new Answer(false, "The product does not exist: " + missing + ".");
    }
    Map<Key, StockEntry> existing = new HashMap<>();
    Map<ColorKey, ProductColor> known = new HashMap<>();
    Map<Integer, Integer> colorCounts = new HashMap<>();
    for (ProductColor color : colors.findOfProducts(productIds)) {
      known.put(new ColorKey(color.getProduct().getId(), color.getName()), color);
      colorCounts.merge(color.getProduct().getId(), 1, Integer::sum);
    }
    for (StockEntry entry : entries.findOfProducts(productIds)) {
      existing.put(
          new Key(entry.getProduct().getId(), entry.getColor().getName(), entry.getSize()), entry);
    }
    String used = usedBarcode(caller.merchantId(), wanted);
    if (used != null) {
      return new Answer(false, used);
    }
    List<StockEntry> added = new ArrayList<>();
    wanted.forEach(
        (key, item) -> {
          StockEntry entry = existing.get(key);
          if (entry == null) {
            Product product = found.get(key.productId);
            ProductColor color =
                known.computeIfAbsent(
                    new ColorKey(key.productId, key.color),
                    _ ->
                        colors.save(
                            new ProductColor(
                                product,
                                colorCounts.merge(key.productId, 1, Integer::sum) - 1,
                                key.color)));
            entry = new StockEntry(caller.merchantId(), color, key.size);
            added.add(entry);
            product.setHasStock(true);
          }
          entry.setQuantity(item.stock());
          if (item.barCode() != null) {
            entry.setBarcode(item.barCode().isEmpty() ? null : item.barCode());
          }
        });
    entries.saveAll(added);
    return new Answer(true, "");
  }

  /** One create per interval for each application and merchant. */
  private void spendLimit(Credential caller) {
    CreateLimit.Key key = new CreateLimit.Key(caller.applicationId(), caller.merchantId());
    CreateLimit limit =
        limits.lock(key).orElseGet(() -> limits.save(new CreateLimit(key, Instant.EPOCH)));
    // after the lock: a create that waited for another one must not look earlier
    Instant now = clock.instant();
    Instant next = limit.getLastAt().plus(settings.createInterval());
    if (next.isAfter(now)) {
      throw new TooManyRequests(Math.max(1, Duration.between(now, next).toSeconds()));
    }
    limit.setLastAt(now);
  }

  /** One element for each size of each range. */
  private static Map<Key, SizeItem> expanded(List<ColorGroup> groups) {
    Map<Key, SizeItem> wanted = new LinkedHashMap<>();
    for (int g = 0; g < groups.size(); g++) {
      ColorGroup group = groups.get(g);
      for (int s = 0; s < group.param().size(); s++) {
        SizeItem item = group.param().get(s);
        String at = "[%d].param[%d].size".formatted(g, s);
        int sizes = item.last() - item.first() + 1;
        if (sizes < 1) {
          throw new BadRequest(at, "SIZE_ORDER", item.size() + " runs backwards");
        }
        if (sizes > MAX_SIZES) {
          throw new BadRequest(at, "SIZE_TOO_MANY", item.size() + " has too many sizes");
        }
        if (sizes > 1 && item.barCode() != null && !item.barCode().isEmpty()) {
          throw new BadRequest(at, "BARCODE_ON_RANGE", "A barcode belongs to a single size");
        }
        for (int size = item.first(); size <= item.last(); size++) {
          if (wanted.put(new Key(group.pid(), group.color().strip(), size), item) != null) {
            throw new BadRequest(at, "ENTRY_REPEATED", "Size " + size + " occurs twice");
          }
        }
        if (wanted.size() > MAX_ENTRIES) {
          throw new BadRequest("", "ENTRIES_TOO_MANY", "The request has too many entries");
        }
      }
    }
    return wanted;
  }

  /** Says which barcode belongs to another entry of the merchant; null if none does. */
  private String usedBarcode(Integer merchantId, Map<Key, SizeItem> wanted) {
    Map<String, Key> barcodes = new HashMap<>();
    wanted.forEach(
        (key, item) -> {
          if (item.barCode() != null && !item.barCode().isEmpty()) {
            barcodes.put(item.barCode(), key);
          }
        });
    if (barcodes.isEmpty()) {
      return null;
    }
    for (StockEntry entry : entries.findByBarcodes(merchantId, barcodes.keySet())) {
      Key owner =
          new Key(entry.getProduct().getId(), entry.getColor().getName(), entry.getSize());
      if (!owner.equals(barcodes.get(entry.getBarcode()))) {
        return "The barcode \"" + entry.getBarcode() + "\" is already used.";
      }
    }
    return null;
  }
}
