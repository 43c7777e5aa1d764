package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the problems of a request and keeps the first hundred. */
public final class Problems {
  private static final int MAX_KEPT = 100;
  private static final int MAX_DIGITS = 10;

  private final List<Problem> kept = new ArrayList<>(0);
  private int total;

  public void add(Problem problem) {
    total++;
    if (kept.size() < MAX_KEPT) {
      kept.add(problem);
    }
  }

  public void add(String at, ErrorCode code, Object... arguments) {
    add(Problem.of(at, code, arguments));
  }

  public void add(JsonPath at, ErrorCode code, Object... arguments) {
    add(Problem.of(at.toString(), code, arguments));
  }

  /** Returns the value, or null after noting a problem at {@code path}. */
  public <T> @Nullable T check(JsonPath path, Supplier<T> value) {
    try {
      return value.get();
    } catch (InvalidValue invalid) {
      add(invalid.at(path.toString()));
      return null;
    }
  }

  /** Returns the value, or null after noting a problem at {@code at}. */
  public <T> @Nullable T check(String at, Supplier<T> value) {
    try {
      return value.get();
    } catch (InvalidValue invalid) {
      add(invalid.at(at));
      return null;
    }
  }

  /** Parses {@code text} as a whole number from 1, or returns 0 after noting the problem. */
  public int positive(String name, String text) {
    int number = within(name, text, 1, Integer.MAX_VALUE);
    return Math.max(number, 0);
  }

  /** Parses {@code text} as a whole number from 0, or returns -1 after noting the problem. */
  int within(String name, String text, int min, int max) {
    long number = isDigits(text) ? Long.parseLong(text) : -1;
    if (number < min || number > max) {
      add(name, ErrorCode.NUMBER_FORMAT, text, min, max);
      return -1;
    }
    return (int) number;
  }

  private static boolean isDigits(String text) {
    if (text.isEmpty() || text.length() > MAX_DIGITS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  public boolean any() {
    return total > 0;
  }

  /** The number of all problems, including those that are not kept. */
  public int total() {
    return total;
  }

  /** The first hundred problems. */
  public List<Problem> list() {
    return List.copyOf(kept);
  }

  public void throwIfAny() throws InvalidRequest {
    if (any()) {
      throw invalidRequest();
    }
  }

  InvalidRequest invalidRequest() {
    return new InvalidRequest(kept, total);
  }
}
