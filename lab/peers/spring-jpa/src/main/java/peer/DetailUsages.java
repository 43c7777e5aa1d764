package peer;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;
import peer.Usage.DetailUsage;

public interface DetailUsages extends JpaRepository<DetailUsage, Integer> {
  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("select u from DetailUsage u where u.merchantId = :merchantId")
  Optional<DetailUsage> lock(Integer merchantId);
}
