package io.stockroom.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The usage of every limit, and one page of the fetched products that are not published yet.
 *
 * @param limits every limit
 * @param page the number of this page of unpublished products, from 1
 * @param totalPages the number of pages
 * @param totalUnpublished the number of unpublished products
 * @param unpublished the products of this page
 * @param anySizeInCreate whether a create takes one text size such as {@code XL}
 */
public record Usage(
    List<LimitUse> limits,
    int page,
    int totalPages,
    int totalUnpublished,
    List<Unpublished> unpublished,
    boolean anySizeInCreate) {
  /** Copies the lists. */
  public Usage {
    limits = List.copyOf(limits);
    unpublished = List.copyOf(unpublished);
  }

  /**
   * One limit.
   *
   * @param name its short name, such as {@code detail-per-day}
   * @param store the bound store it is counted for; null if it is not counted by store
   * @param limit how much is allowed; null if not applicable
   * @param used how much was used; null if not applicable
   * @param remaining how much is left; null if not applicable
   * @param resetsAt when some of it becomes available again; null if unknown
   * @param note its current state, in a sentence
   */
  public record LimitUse(
      String name,
      @Nullable String store,
      @Nullable Long limit,
      @Nullable Long used,
      @Nullable Long remaining,
      @Nullable Instant resetsAt,
      String note) {}

  /**
   * A fetched product that is not published.
   *
   * @param pid the product's id
   * @param artNo its item number
   * @param fetchedAt when its detail was first fetched
   * @param result the last reported result; null if there is none
   */
  public record Unpublished(int pid, String artNo, Instant fetchedAt, @Nullable String result) {}

  /**
   * Finds a limit.
   *
   * @param name such as {@code detail-per-day}
   * @return the limit; empty if there is none of this name
   */
  public Optional<LimitUse> limit(String name) {
    return limits.stream().filter(limit -> limit.name().equals(name)).findFirst();
  }

  static Usage read(Fields fields) {
    Fields unpublished = fields.object("unpublished");
    return new Usage(
        fields.list("limits", Usage::limit),
        unpublished.whole("page"),
        unpublished.whole("totalPages"),
        unpublished.whole("total"),
        unpublished.list("data", Usage::product),
        "any".equals(fields.textOrNull("sizesInCreate")));
  }

  private static LimitUse limit(Fields fields) {
    return new LimitUse(
        fields.text("name"),
        fields.textOrNull("store"),
        fields.wholeOrNull("limit"),
        fields.wholeOrNull("used"),
        fields.wholeOrNull("remaining"),
        fields.instantOrNull("resetsAt"),
        fields.text("note"));
  }

  private static Unpublished product(Fields fields) {
    return new Unpublished(
        fields.whole("pid"),
        fields.text("artNo"),
        fields.instant("fetchedAt"),
        fields.textOrNull("result"));
  }
}
