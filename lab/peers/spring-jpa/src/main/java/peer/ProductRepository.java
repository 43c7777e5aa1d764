package peer;

import jakarta.persistence.LockModeType;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

public interface ProductRepository extends Repository<Product, Integer> {
  /** An element of the product list. */
  record Summary(Integer id, String artNo, String pic) {}

  @Query(
      """
      select new peer.ProductRepository$Summary(p.id, p.artNo, p.pic) from Product p
      where p.merchant.id = :merchantId order by p.id
      """)
  Page<Summary> findPage(Integer merchantId, Pageable page);

  @Query(
      """
      select new peer.ProductRepository$Summary(p.id, p.artNo, p.pic) from Product p
      where p.merchant.id = :merchantId and p.hasStock = :hasStock order by p.id
      """)
  Page<Summary> findPage(Integer merchantId, boolean hasStock, Pageable page);

  boolean existsByIdAndMerchantId(Integer id, Integer merchantId);

  @EntityGraph(attributePaths = "merchant")
  Optional<Product> findByIdAndMerchantId(Integer id, Integer merchantId);

  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("select p from Product p where p.merchant.id = :merchantId and p.id in :ids order by p.id")
  List<Product> lock(Integer merchantId, Collection<Integer> ids);
}
