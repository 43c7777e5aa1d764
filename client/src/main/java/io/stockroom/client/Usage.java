package io.stockroom.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How much of every limit the merchant has used, and one page of the fetched products that are not
 * published yet.
 *
 * @param limits every limit
 * @param page the number of this page of unpublished products, from 1
 * @param totalPages how many such pages there are
 * @param totalUnpublished how many unpublished products there are in all
 * @param unpublished the products of this page
 */
public record Usage(
    List<LimitUse> limits,
    int page,
    int totalPages,
    int totalUnpublished,
    List<Unpublished> unpublished) {
  /** Keeps the lists as they are now. */
  public Usage {
    limits = List.copyOf(limits);
    unpublished = List.copyOf(unpublished);
  }

  /**
   * One limit.
   *
   * @param name its short name, such as {@code detail-per-day}
   * @param store the bound store it is counted for; null where it is not counted by store
   * @param limit how much is allowed; null where that is not a question
   * @param used how much was used; null where that is not a question
   * @param remaining how much is left; null where that is not a question
   * @param resetsAt when some of it comes back by itself; null where nobody can say
   * @param note what it means now, in a sentence
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
   * @param result the last result that was reported; null where there is none
   */
  public record Unpublished(int pid, String artNo, Instant fetchedAt, @Nullable String result) {}

  /**
   * Finds a limit.
   *
   * @param name such as {@code detail-per-day}
   * @return the limit; empty where there is none of this name
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
        unpublished.list("data", Usage::product));
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
    Instant fetchedAt = fields.instantOrNull("fetchedAt");
    if (fetchedAt == null) {
      throw fields.misfit("fetchedAt", "a time");
    }
    return new Unpublished(
        fields.whole("pid"), fields.text("artNo"), fetchedAt, fields.textOrNull("result"));
  }
}
