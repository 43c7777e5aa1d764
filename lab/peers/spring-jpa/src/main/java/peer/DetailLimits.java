package peer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import peer.Usage.DetailFetch;
import peer.Usage.DetailUsage;
import peer.Usage.StoreProduct;

/** The three limits of product details; the merchant's row is locked while they are checked. */
@Service
@Transactional(propagation = Propagation.MANDATORY)
public class DetailLimits {
  private static final Duration GRACE = Duration.ofDays(7);
  private static final Duration PUBLISH_WINDOW = Duration.ofDays(90);
  private static final int PUBLISH_MINIMUM = 30;
  private static final int STORE_MONTHS = 3;

  private final DetailUsages usages;
  private final DetailFetches fetches;
  private final StoreProducts storeProducts;
  private final InterfaceSettings settings;
  private final Clock clock;

  public DetailLimits(
      DetailUsages usages,
      DetailFetches fetches,
      StoreProducts storeProducts,
      InterfaceSettings settings,
      Clock clock) {
    this.usages = usages;
    this.fetches = fetches;
    this.storeProducts = storeProducts;
    this.settings = settings;
    this.clock = clock;
  }

  /** Counts a fetch, or says which limit forbids it. */
  public Optional<String> charge(Credential caller, Integer productId) {
    Integer merchantId = caller.merchantId();
    Instant now = clock.instant();
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    DetailUsage usage =
        usages.lock(merchantId).orElseGet(() -> usages.save(new DetailUsage(merchantId, today)));
    if (usage.usedOn(today) >= settings.detailPerDay()) {
      return Optional.of("The limit of product details a day is used up.");
    }
    Instant publishStart = now.minus(PUBLISH_WINDOW);
    DetailFetches.Due due = fetches.countDue(merchantId, now.minus(GRACE), publishStart);
    if (due.fetched() >= PUBLISH_MINIMUM && 3 * due.published() < 2 * due.fetched()) {
      return Optional.of("Fewer than two thirds of the fetched products are published.");
    }
    Instant storeStart = now.atZone(ZoneOffset.UTC).minusMonths(STORE_MONTHS).toInstant();
    var storeKey = new StoreProduct.Key(merchantId, caller.boundStore(), productId);
    Optional<StoreProduct> stored = storeProducts.findById(storeKey);
    boolean isCounted = stored.filter(found -> found.getLastAt().isAfter(storeStart)).isPresent();
    if (!isCounted
        && storeProducts.countByIdMerchantIdAndIdBoundStoreAndLastAtAfter(
                merchantId, caller.boundStore(), storeStart)
            >= settings.storeProducts()) {
      return Optional.of("The bound store has reached its limit of products.");
    }
    usage.use(today);
    stored.ifPresentOrElse(
        found -> found.setLastAt(now),
        () -> storeProducts.save(new StoreProduct(storeKey, now)));
    var fetchKey = new DetailFetch.Key(merchantId, productId);
    fetches
        .findById(fetchKey)
        .ifPresentOrElse(
            found -> found.fetched(now, publishStart),
            () -> fetches.save(new DetailFetch(fetchKey, now)));
    return Optional.empty();
  }
}
