package peer;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/** A color of a product; they are numbered in the order in which they were added. */
@Entity
public class ProductColor {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE)
  private Long id;

  @ManyToOne(fetch = FetchType.LAZY)
  private Product product;

  private int position;
  private String name;
  private String imageUrl;

  protected ProductColor() {}

  public ProductColor(Product product, int position, String name) {
    this.product = product;
    this.position = position;
    this.name = name;
    this.imageUrl = "";
  }

  public Long getId() {
    return id;
  }

  public Product getProduct() {
    return product;
  }

  public String getName() {
    return name;
  }

  public String getImageUrl() {
    return imageUrl;
  }
}
