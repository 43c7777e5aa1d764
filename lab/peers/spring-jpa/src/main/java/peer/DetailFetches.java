package peer;

import java.time.Instant;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import peer.Usage.DetailFetch;

public interface DetailFetches extends JpaRepository<DetailFetch, DetailFetch.Key> {
  /** Products whose publish result is due, and those of them that were published. */
  record Due(long fetched, long published) {}

  @Query(
      """
      select new peer.DetailFetches$Due(
        count(f), count(case when f.published then 1 end))
      from DetailFetch f
      where f.id.merchantId = :merchantId and f.firstAt <= :dueBefore and f.lastAt > :windowStart
      """)
  Due countDue(Integer merchantId, Instant dueBefore, Instant windowStart);
}
