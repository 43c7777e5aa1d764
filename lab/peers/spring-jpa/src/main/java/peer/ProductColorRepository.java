package peer;

import java.util.Collection;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

public interface ProductColorRepository extends JpaRepository<ProductColor, Long> {
  @Query("select c from ProductColor c where c.product.id in :productIds")
  List<ProductColor> findOfProducts(Collection<Integer> productIds);
}
