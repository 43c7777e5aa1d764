package io.stockroom.server.call;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gathers all faults of a request, and keeps the first hundred. */
public final class Problems {
  private static final int MOST_KEPT = 100;

  private final List<Problem> kept = new ArrayList<>(0);
  private int total;

  public void add(Problem problem) {
    total++;
    if (kept.size() < MOST_KEPT) {
      kept.add(problem);
    }
  }

  public void add(String at, ErrorCode code, Object... arguments) {
    add(Problem.of(at, code, arguments));
  }

  public void add(Place at, ErrorCode code, Object... arguments) {
    add(Problem.of(at.toString(), code, arguments));
  }

  /** Gives the value, or null after noting at {@code place} why there is none. */
  public <T> @Nullable T check(Place place, Supplier<T> value) {
    try {
      return value.get();
    } catch (InvalidValue invalid) {
      add(invalid.at(place.toString()));
      return null;
    }
  }

  /** Gives the value, or null after noting at {@code place} why there is none. */
  public <T> @Nullable T check(String place, Supplier<T> value) {
    try {
      return value.get();
    } catch (InvalidValue invalid) {
      add(invalid.at(place));
      return null;
    }
  }

  public boolean any() {
    return total > 0;
  }

  public int total() {
    return total;
  }

  public Refused refused() {
    return new Refused(List.copyOf(kept), total);
  }
}
