package io.stockroom.client;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The elements of all pages in order; fetches each page when its first element is needed. */
final class Pages<T> extends Spliterators.AbstractSpliterator<T> {
  /** One page and the current number of pages. */
  record Page<T>(int totalPages, List<T> elements) {}

  private final IntFunction<Page<T>> fetch;
  private final Queue<T> fetched = new ArrayDeque<>();
  private int next = 1;
  private boolean more = true;

  private Pages(IntFunction<Page<T>> fetch) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.fetch = fetch;
  }

  static <T> Stream<T> stream(IntFunction<Page<T>> fetch) {
    return StreamSupport.stream(new Pages<>(fetch), false);
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    while (fetched.isEmpty() && more) {
      Page<T> page = fetch.apply(next);
      fetched.addAll(page.elements);
      more = next < page.totalPages;
      next++;
    }
    T element = fetched.poll();
    if (element == null) {
      return false;
    }
    action.accept(element);
    return true;
  }
}
