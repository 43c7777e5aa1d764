package peer;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OrderColumn;
import java.math.BigDecimal;
import java.util.List;

@Entity
public class Product {
  /** A name and a value. */
  @Embeddable
  public record Attribute(String name, String value) {}

  @Id private Integer id;

  @ManyToOne(fetch = FetchType.LAZY)
  private Merchant merchant;

  private String artNo;
  private String pic;
  private boolean hasStock;
  private String title;
  private String description;
  private BigDecimal price;
  private String categoryIdTree;
  private String categoryNameTree;
  private String video;

  @ElementCollection
  @CollectionTable(name = "product_image", joinColumns = @JoinColumn(name = "product_id"))
  @OrderColumn(name = "position")
  @Column(name = "url")
  private List<String> images;

  @ElementCollection
  @CollectionTable(name = "product_attribute", joinColumns = @JoinColumn(name = "product_id"))
  @OrderColumn(name = "position")
  private List<Attribute> attributes;

  public Integer getId() {
    return id;
  }

  public Merchant getMerchant() {
    return merchant;
  }

  public String getArtNo() {
    return artNo;
  }

  public String getPic() {
    return pic;
  }

  public void setHasStock(boolean hasStock) {
    this.hasStock = hasStock;
  }

  public String getTitle() {
    return title;
  }

  public String getDescription() {
    return description;
  }

  public BigDecimal getPrice() {
    return price;
  }

  public String getCategoryIdTree() {
    return categoryIdTree;
  }

  public String getCategoryNameTree() {
    return categoryNameTree;
  }

  public String getVideo() {
    return video;
  }

  public List<String> getImages() {
    return images;
  }

  public List<Attribute> getAttributes() {
    return attributes;
  }
}
