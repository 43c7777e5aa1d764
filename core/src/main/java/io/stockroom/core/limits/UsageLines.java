package io.stockroom.core.limits;

import io.stockroom.core.limits.Usage.Line;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.PublishCounts;
import io.stockroom.core.settings.Span;
import io.stockroom.protocol.Language;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Describes the usage of each limit. */
final class UsageLines {
  private UsageLines() {}

  static Line perDay(Limits limits, DetailLimits.Moment moment) {
    long limit = limits.detailPerDay();
    long left = Math.max(0, limit - moment.usedToday());
    return new Line(
        "detail-per-day",
        null,
        limit,
        (long) moment.usedToday(),
        left,
        moment.dayEnds(),
        "%d of %d product details left on %s (%s)"
            .formatted(left, limit, moment.day(), limits.zone()));
  }

  static Line share(Limits limits, DetailLimits.Facts facts) {
    int missing = DetailLimits.missing(limits, facts);
    int results = facts.results(limits);
    long needed = (long) results + missing;
    boolean isStrict = limits.publishCounts() == PublishCounts.PUBLISHED;
    String state =
        !DetailLimits.isJudged(limits, facts)
            ? "not judged before %d fetched products are older than %s"
                .formatted(limits.publishMinimum(), words(limits.publishGrace()))
            : missing == 0 ? "enough" : "fetching is refused; %d missing".formatted(missing);
    return new Line(
        "publish-share",
        null,
        needed,
        (long) results,
        null,
        null,
        "%d of %d fetched products %s (%s needed): %s"
            .formatted(
                results,
                facts.fetched(),
                isStrict ? "are published" : "have a publish result",
                limits.publishShare(),
                state));
  }

  private static String words(Span time) {
    return time.text(Language.ENGLISH);
  }

  static Line store(
      Limits limits, DetailLimits.Facts facts, String store, @Nullable Instant opens) {
    long limit = limits.storeProducts();
    long left = Math.max(0, limit - facts.storeProducts());
    return new Line(
        "store-products",
        store,
        limit,
        (long) facts.storeProducts(),
        left,
        opens,
        "%d of %d products within %s left for the store \"%s\""
            .formatted(left, limit, words(limits.storeWindow()), store));
  }

  /**
   * The rate limit of creates.
   *
   * @param lastCreate the last create of the application; null if there is none, or no application
   */
  static Line createRate(Limits limits, @Nullable Instant lastCreate, DetailLimits.Moment moment) {
    Duration interval = limits.createInterval();
    Instant free = lastCreate == null ? null : lastCreate.plus(interval);
    boolean waiting = free != null && free.isAfter(moment.now());
    return new Line(
        "create-interval",
        null,
        1L,
        waiting ? 1L : 0L,
        waiting ? 0L : 1L,
        waiting ? free : null,
        interval.isZero()
            ? "any number of create requests"
            : "one create request per " + words(Span.of(interval)));
  }

  static Line elements(Limits limits) {
    return new Line(
        "create-elements",
        null,
        (long) limits.createElements(),
        null,
        null,
        null,
        "at most %d color groups in one create request".formatted(limits.createElements()));
  }

  static Line adjustRate(Limits limits) {
    int limit = limits.adjustPerSecond();
    return new Line(
        "adjust-per-second",
        null,
        limit == 0 ? null : (long) limit,
        null,
        null,
        null,
        limit == 0
            ? "any number of adjust requests"
            : "at most %d adjust requests in one second".formatted(limit));
  }
}
