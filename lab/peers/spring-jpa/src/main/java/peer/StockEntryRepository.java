package peer;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

public interface StockEntryRepository extends JpaRepository<StockEntry, UUID> {
  /** An entry as the stock list shows it. */
  record Row(UUID guid, String barcode, String color, int size, int quantity) {}

  @Query(
      """
      select new peer.StockEntryRepository$Row(e.guid, e.barcode, c.name, e.size, e.quantity)
      from StockEntry e join e.color c
      where e.product.id = :productId and e.merchantId = :merchantId
      order by c.position, e.size
      """)
  List<Row> findRows(Integer merchantId, Integer productId);

  @Query(
      """
      select e from StockEntry e join fetch e.color c
      where e.product.id = :productId order by c.position, e.size
      """)
  List<StockEntry> findOfProduct(Integer productId);

  @Query("select e from StockEntry e where e.product.id in :productIds")
  List<StockEntry> findOfProducts(Collection<Integer> productIds);

  @Query("select e from StockEntry e where e.merchantId = :merchantId and e.barcode in :barcodes")
  List<StockEntry> findByBarcodes(Integer merchantId, Collection<String> barcodes);
}
