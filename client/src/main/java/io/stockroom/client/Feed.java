package io.stockroom.client;

import io.stockroom.protocol.request.FeedReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes the calls that read changes, snapshots and digests. */
final class Feed {
  /** The longest time for which the server holds a response back. */
  static final Duration MAX_WAIT = Duration.ofSeconds(FeedReader.MAX_WAIT_SECONDS);

  private final Calls calls;

  Feed(Calls calls) {
    this.calls = calls;
  }

  /**
   * @param after null for the oldest change that is kept
   * @param wait in whole seconds, at most {@link #MAX_WAIT}
   */
  ChangePage changes(@Nullable String after, int limit, Duration wait) {
    return smallerIfTooLarge(
        limit,
        fewer -> {
          String fields = "limit=" + fewer + "&wait=" + wait.toSeconds() + after(after);
          OutgoingCall call = OutgoingCall.read("/Changes", fields).waiting(wait);
          return calls.ask(call, FeedReader::changes).read(ChangePage::read);
        });
  }

  Snapshot snapshot() {
    return new Snapshot(snapshotPage(null), this::snapshotPage);
  }

  private SnapshotPage snapshotPage(@Nullable String after) {
    return smallerIfTooLarge(
        FeedReader.MAX_PRODUCTS,
        fewer -> {
          OutgoingCall call = OutgoingCall.read("/Stock/Snapshot", "limit=" + fewer + after(after));
          return calls.ask(call, FeedReader::snapshot).read(SnapshotPage::read);
        });
  }

  StockDigest digest() {
    return calls
        .ask(OutgoingCall.read("/Stock/Digest", ""), FeedReader::digest)
        .read(StockDigest::read);
  }

  /** Products with very many entries make a page larger than the SDK reads: asks for a tenth. */
  private static <T> T smallerIfTooLarge(int limit, IntFunction<T> fetch) {
    for (int asked = limit; ; asked = Math.max(1, asked / 10)) {
      try {
        return fetch.apply(asked);
      } catch (UnexpectedAnswerException unexpected) {
        if (!unexpected.isTooLarge() || asked == 1) {
          throw unexpected;
        }
      }
    }
  }

  private static String after(@Nullable String after) {
    return after == null ? "" : "&after=" + URLEncoder.encode(after, StandardCharsets.UTF_8);
  }
}
