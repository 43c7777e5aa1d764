package peer;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Merchant {
  @Id private Integer id;
  private String storeUrl;
  private String storeName;

  public String getStoreUrl() {
    return storeUrl;
  }

  public String getStoreName() {
    return storeName;
  }
}
