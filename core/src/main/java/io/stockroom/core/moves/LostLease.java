package io.stockroom.core.moves;

/** Another node drives the move now, or somebody cancelled it. */
final class LostLease extends Exception {
  private static final long serialVersionUID = 1;

  private LostLease() {
    super("another node drives the move, or it was cancelled");
  }

  static void unless(boolean isOurs) throws LostLease {
    if (!isOurs) {
      throw new LostLease();
    }
  }
}
