package io.stockroom.core.admission;

/**
 * What one call holds of a {@link ConcurrencyLimit}: first its place among those inside, then a
 * slot to work in. Used by one thread at a time.
 */
public final class Permit implements AutoCloseable {
  /** The request attribute with the permit of a call that entered before it was parsed. */
  public static final String ATTRIBUTE = Permit.class.getName();

  private final ConcurrencyLimit limit;
  private String token = "";
  private String owner = "";
  private boolean isInside;
  private boolean isWorking;
  private long startedNanos;

  Permit(ConcurrencyLimit limit) {
    this.limit = limit;
  }

  /** Whether it makes sense to go on: the call is inside already, or there is room for it. */
  public boolean isWelcome() {
    return isInside || !limit.isFull();
  }

  /**
   * Counts the call in, once; false where there is no room for it, or none for this token.
   *
   * @param accesstoken the token that the call names; empty where nothing tells callers apart
   */
  public boolean enter(String accesstoken) {
    if (!isInside && limit.enter(accesstoken)) {
      token = accesstoken;
      isInside = true;
    }
    return isInside;
  }

  /**
   * Waits for a free slot; false where that took too long or the owner has its share already.
   *
   * @param merchant whose calls count together; empty where nothing is shared
   */
  public boolean start(String merchant) {
    if (!limit.start(merchant)) {
      return false;
    }
    owner = merchant;
    isWorking = true;
    startedNanos = System.nanoTime();
    return true;
  }

  /** Enters and starts in one step, for calls that nothing tells apart. */
  public boolean acquire() {
    return enter("") && start("");
  }

  /** Gives back whatever is held; calling it again does nothing. */
  @Override
  public void close() {
    if (isWorking) {
      isWorking = false;
      limit.finish(owner, startedNanos);
    }
    if (isInside) {
      isInside = false;
      limit.leave(token);
    }
  }
}
