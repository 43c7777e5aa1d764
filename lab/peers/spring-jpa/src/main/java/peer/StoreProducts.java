package peer;

import java.time.Instant;
import org.springframework.data.jpa.repository.JpaRepository;
import peer.Usage.StoreProduct;

public interface StoreProducts extends JpaRepository<StoreProduct, StoreProduct.Key> {
  long countByIdMerchantIdAndIdBoundStoreAndLastAtAfter(
      Integer merchantId, String boundStore, Instant windowStart);
}
