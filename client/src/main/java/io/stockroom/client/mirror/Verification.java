package io.stockroom.client.mirror;

import java.util.List;

/**
 * The result of comparing a mirror with the server.
 *
 * @param blocks how many blocks of 256 product ids were compared
 * @param repaired the blocks that differed and were read again; empty if the copy was equal
 * @param digest the digest of the whole copy, which is the server's
 */
public record Verification(int blocks, List<Integer> repaired, String digest) {
  /** Copies the list. */
  public Verification {
    repaired = List.copyOf(repaired);
  }

  /** {@return whether the copy was equal before anything was repaired} */
  public boolean wasEqual() {
    return repaired.isEmpty();
  }
}
