package peer;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.UUID;
import org.hibernate.annotations.UuidGenerator;

/** The quantity of one color and size of a product. */
@Entity
public class StockEntry {
  @Id
  @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
  private UUID guid;

  private Integer merchantId;

  @ManyToOne(fetch = FetchType.LAZY)
  private Product product;

  @ManyToOne(fetch = FetchType.LAZY)
  private ProductColor color;

  private int size;
  private int quantity;
  private String barcode;

  protected StockEntry() {}

  public StockEntry(Integer merchantId, ProductColor color, int size) {
    this.merchantId = merchantId;
    this.product = color.getProduct();
    this.color = color;
    this.size = size;
  }

  public ProductColor getColor() {
    return color;
  }

  public int getSize() {
    return size;
  }

  public int getQuantity() {
    return quantity;
  }

  public void setQuantity(int quantity) {
    this.quantity = quantity;
  }

  public String getBarcode() {
    return barcode;
  }

  public void setBarcode(String barcode) {
    this.barcode = barcode;
  }

  public Product getProduct() {
    return product;
  }
}
