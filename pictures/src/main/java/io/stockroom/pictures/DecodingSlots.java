package io.stockroom.pictures;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the memory and the processors that decoding takes: so many megapixels at a time, and one
 * picture at a time of each merchant. Whoever waits longest goes first.
 */
final class DecodingSlots {
  private static final int MAX_WAIT_SECONDS = 10;
  private static final int BYTES_PER_MEGAPIXEL = 4_000_000;

  /** Decoding may take an eighth of the memory, and one picture always finds room. */
  private static final int SHARE = 8;

  private final int megapixels;
  private final Semaphore room;
  private final Map<Integer, Turn> turns = new ConcurrentHashMap<>();

  private static final class Turn {
    private final Semaphore one = new Semaphore(1, true);
    private int users;
  }

  DecodingSlots(int maxMegapixels) {
    long free = Runtime.getRuntime().maxMemory() / SHARE / BYTES_PER_MEGAPIXEL;
    megapixels = (int) Math.clamp(free, maxMegapixels + 1L, Integer.MAX_VALUE);
    room = new Semaphore(megapixels, true);
  }

  /** Work that decodes a picture. */
  interface Work<T> {
    T run() throws PictureRejection;
  }

  /**
   * Runs the work when there is room for it.
   *
   * @throws StoreUnavailable if there is none for too long
   */
  <T> T run(int merchantId, long pixels, Work<T> work) throws PictureRejection, StoreUnavailable {
    int needed = (int) Math.min(megapixels, pixels / 1_000_000 + 1);
    Turn turn =
        turns.compute(
            merchantId,
            (_, known) -> {
              Turn entered = known == null ? new Turn() : known;
              entered.users++;
              return entered;
            });
    try {
      acquire(turn.one, 1);
      try {
        acquire(room, needed);
        try {
          return work.run();
        } finally {
          room.release(needed);
        }
      } finally {
        turn.one.release();
      }
    } finally {
      turns.compute(merchantId, (_, _) -> --turn.users == 0 ? null : turn);
    }
  }

  private static void acquire(Semaphore semaphore, int permits) throws StoreUnavailable {
    try {
      if (!semaphore.tryAcquire(permits, MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new StoreUnavailable("too many pictures at the same time");
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailable("the server stops", stopped);
    }
  }
}
