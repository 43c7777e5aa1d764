package peer;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Application {
  @Id private Integer id;
  private String appid;
  private String secret;
}
