package io.stockroom.client;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The products that a search found. */
public final class FoundProducts {
  private final Page first;
  private final Function<String, Page> fetch;

  FoundProducts(Function<String, Page> fetch) {
    this.first = fetch.apply("");
    this.fetch = fetch;
  }

  /**
   * One page of a search.
   *
   * @param next where the next page begins; empty on the last page
   */
  record Page(String cursor, String next, List<FoundProduct> products) {
    static Page read(Fields fields) {
      return new Page(
          fields.text("cursor"), fields.text("next"), fields.list("products", FoundProduct::read));
    }
  }

  /** {@return what a later {@link ProductQuery#changedAfter} continues after} */
  public String cursor() {
    return first.cursor;
  }

  /** {@return the products in id order; pages are fetched as the stream is consumed} */
  public Stream<FoundProduct> products() {
    return Stream.iterate(
            Optional.of(first),
            Optional::isPresent,
            page -> page.filter(read -> !read.next.isEmpty()).map(read -> fetch.apply(read.next)))
        .flatMap(Optional::stream)
        .flatMap(page -> page.products.stream());
  }
}
