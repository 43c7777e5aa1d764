package io.stockroom.console.imports;

import io.stockroom.files.imports.ImportJob;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an import for display. The page sends the progress it last saw in the polling
 * URL, so any node can compute the rate.
 *
 * @param rate units per second; 0 if unknown
 * @param secondsLeft null if unknown
 * @param next the URL to poll
 * @param news whether a screen reader should announce it
 */
public record ImportProgress(
    String phase,
    String unit,
    long done,
    long total,
    int percent,
    long rate,
    @Nullable Long secondsLeft,
    String next,
    boolean news) {

  private static final int MIN_MILLIS = 900;

  /** What the page has seen: the phase, and the progress at a point in time. */
  record Seen(String phase, long done, long atMillis, String said) {
    static final Seen NOTHING = new Seen("", 0, 0, "");
  }

  static ImportProgress of(ImportJob job, Seen seen, long nowMillis) {
    String phase = job.state() == ImportJob.State.WAITING ? "waiting" : job.phase();
    boolean same = phase.equals(seen.phase) && seen.done <= job.done();
    long from = same ? seen.done : job.done();
    long since = same ? seen.atMillis : nowMillis;
    long millis = nowMillis - since;
    long rate = millis < MIN_MILLIS ? 0 : (job.done() - from) * 1000 / millis;
    int percent = job.total() == 0 ? 0 : (int) (job.done() * 100 / job.total());
    // announce only every 25 percent
    String said = phase + percent / 25;
    return new ImportProgress(
        phase,
        Objects.requireNonNullElse(job.unit(), ""),
        job.done(),
        job.total(),
        percent,
        rate,
        rate == 0 ? null : (job.total() - job.done() + rate - 1) / rate,
        "/console/imports/%d/%d?phase=%s&from=%d&since=%d&said=%s"
            .formatted(job.merchantId(), job.importId(), phase, from, since, said),
        !said.equals(seen.said));
  }

  public boolean isBytes() {
    return unit.equals("bytes");
  }

  public String rateShown() {
    return isBytes() ? FileSizes.bytes(rate) : String.format(Locale.ROOT, "%,d", rate);
  }
}
