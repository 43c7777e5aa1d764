package peer;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;
import peer.Usage.CreateLimit;

public interface CreateLimits extends JpaRepository<CreateLimit, CreateLimit.Key> {
  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("select l from CreateLimit l where l.id = :id")
  Optional<CreateLimit> lock(CreateLimit.Key id);
}
