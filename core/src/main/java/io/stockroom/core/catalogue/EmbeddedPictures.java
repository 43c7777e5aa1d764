package io.stockroom.core.catalogue;

import org.jspecify.annotations.Nullable;

/** Stores the pictures that descriptions contain as {@code data:} addresses. */
public interface EmbeddedPictures {
  /** Stores none, so that each counts as removed. */
  EmbeddedPictures NONE = _ -> null;

  /** The address of the stored picture; null if it cannot be stored. */
  @Nullable String store(byte[] picture);
}
