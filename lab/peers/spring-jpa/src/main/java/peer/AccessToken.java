package peer;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.time.Instant;

@Entity
public class AccessToken {
  @Id private Integer id;
  private String hash;

  @ManyToOne(fetch = FetchType.LAZY)
  private Application application;

  @ManyToOne(fetch = FetchType.LAZY)
  private Merchant merchant;

  private String boundStore;
  private Instant expiresAt;
  private Instant revokedAt;
}
