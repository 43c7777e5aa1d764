package peer;

import java.util.Optional;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

public interface AccessTokenRepository extends Repository<AccessToken, Integer> {
  @Cacheable("credentials")
  @Query(
      """
      select new peer.Credential(a.id, a.secret, t.merchant.id, t.boundStore, t.expiresAt, t.revokedAt)
      from AccessToken t join t.application a
      where a.appid = :appid and t.hash = :hash
      """)
  Optional<Credential> findCredential(String appid, String hash);
}
