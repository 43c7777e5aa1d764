package io.stockroom.core.stock;

import io.stockroom.core.audit.Actor;
import org.jspecify.annotations.Nullable;

/**
 * Where a change of stock comes from, as its history tells.
 *
 * @param undoes the change whose old values are written back, or null
 */
public record Origin(Actor actor, ChangeSource through, @Nullable Long undoes) {
  public Origin(Actor actor, ChangeSource through) {
    this(actor, through, null);
  }
}
