package peer;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.PostLoad;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Transient;
import java.time.Instant;
import java.time.LocalDate;
import org.springframework.data.domain.Persistable;

/** The rows that the limits are counted in. */
public final class Usage {
  private Usage() {}

  /** New until it is stored or loaded, so that storing it needs no query first. */
  @MappedSuperclass
  public abstract static class Counted<I> implements Persistable<I> {
    @Transient private boolean isNew = true;

    @Override
    public boolean isNew() {
      return isNew;
    }

    @PostLoad
    @PostPersist
    void stored() {
      isNew = false;
    }
  }

  @Entity(name = "CreateLimit")
  public static class CreateLimit extends Counted<CreateLimit.Key> {
    @Embeddable
    public record Key(Integer applicationId, Integer merchantId) {}

    @EmbeddedId private Key id;
    private Instant lastAt;

    protected CreateLimit() {}

    public CreateLimit(Key id, Instant lastAt) {
      this.id = id;
      this.lastAt = lastAt;
    }

    @Override
    public Key getId() {
      return id;
    }

    public Instant getLastAt() {
      return lastAt;
    }

    public void setLastAt(Instant lastAt) {
      this.lastAt = lastAt;
    }
  }

  @Entity(name = "DetailUsage")
  public static class DetailUsage extends Counted<Integer> {
    @Id private Integer merchantId;
    private LocalDate day;
    private int used;

    protected DetailUsage() {}

    public DetailUsage(Integer merchantId, LocalDate day) {
      this.merchantId = merchantId;
      this.day = day;
    }

    @Override
    public Integer getId() {
      return merchantId;
    }

    /** The number of fetches on this day. */
    public int usedOn(LocalDate today) {
      return today.isAfter(day) ? 0 : used;
    }

    public void use(LocalDate today) {
      used = usedOn(today) + 1;
      day = today.isAfter(day) ? today : day;
    }
  }

  @Entity(name = "DetailFetch")
  public static class DetailFetch extends Counted<DetailFetch.Key> {
    @Embeddable
    public record Key(Integer merchantId, Integer productId) {}

    @EmbeddedId private Key id;
    private Instant firstAt;
    private Instant lastAt;
    private boolean published;

    protected DetailFetch() {}

    public DetailFetch(Key id, Instant now) {
      this.id = id;
      this.firstAt = now;
      this.lastAt = now;
    }

    @Override
    public Key getId() {
      return id;
    }

    public void fetched(Instant now, Instant windowStart) {
      firstAt = lastAt.isAfter(windowStart) ? firstAt : now;
      lastAt = now;
    }
  }

  @Entity(name = "StoreProduct")
  public static class StoreProduct extends Counted<StoreProduct.Key> {
    @Embeddable
    public record Key(Integer merchantId, String boundStore, Integer productId) {}

    @EmbeddedId private Key id;
    private Instant lastAt;

    protected StoreProduct() {}

    public StoreProduct(Key id, Instant lastAt) {
      this.id = id;
      this.lastAt = lastAt;
    }

    @Override
    public Key getId() {
      return id;
    }

    public Instant getLastAt() {
      return lastAt;
    }

    public void setLastAt(Instant lastAt) {
      this.lastAt = lastAt;
    }
  }
}
