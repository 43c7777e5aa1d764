package io.stockroom.client;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The whole stock of the merchant. The pages are read one after another while others change the
 * stock; applying the changes after {@link #cursor} over them gives the exact stock, because
 * changes carry absolute quantities.
 */
public final class Snapshot {
  private final SnapshotPage first;
  private final Function<String, SnapshotPage> fetch;

  Snapshot(SnapshotPage first, Function<String, SnapshotPage> fetch) {
    this.first = first;
    this.fetch = fetch;
  }

  /** {@return where {@link StockroomClient#changes(String)} continues after this snapshot} */
  public String cursor() {
    return first.cursor();
  }

  /**
   * {@return the products that have stock, in the order of their ids; pages are fetched as the
   * stream is consumed}
   */
  public Stream<ProductStock> products() {
    Spliterator<SnapshotPage> pages =
        Spliterators.spliteratorUnknownSize(
            new PageIterator(), Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(pages, false).flatMap(page -> page.products().stream());
  }

  /** Fetches a page when it is needed, not before. */
  private final class PageIterator implements Iterator<SnapshotPage> {
    private boolean begun;
    private String next = first.next();

    @Override
    public boolean hasNext() {
      return !begun || !next.isEmpty();
    }

    @Override
    public SnapshotPage next() {
      if (!begun) {
        begun = true;
        return first;
      }
      if (next.isEmpty()) {
        throw new NoSuchElementException();
      }
      SnapshotPage page = fetch.apply(next);
      next = page.next();
      return page;
    }
  }
}
