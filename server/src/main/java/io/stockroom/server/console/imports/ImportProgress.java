package io.stockroom.server.console.imports;

import io.stockroom.server.imports.ImportJob;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far an import has come, as a page shows it. The page itself remembers since when it has
 * watched, in the address by which it asks again, so that any node can tell the rate.
 *
 * @param rate what is done in a second; 0 where it is not known yet
 * @param secondsLeft null where it is not known yet
 * @param next the address to ask again
 * @param news whether a screen reader should hear of it
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

  private static final int LEAST_MILLIS = 900;

  /** What a page has seen when it asks again: the phase, and how far it was at what moment. */
  record Seen(String phase, long done, long atMillis, String said) {
    static final Seen NOTHING = new Seen("", 0, 0, "");
  }

  static ImportProgress of(ImportJob job, Seen seen, long nowMillis) {
    String phase = job.state() == ImportJob.State.WAITING ? "waiting" : job.phase();
    boolean same = phase.equals(seen.phase) && seen.done <= job.done();
    long from = same ? seen.done : job.done();
    long since = same ? seen.atMillis : nowMillis;
    long millis = nowMillis - since;
    long rate = millis < LEAST_MILLIS ? 0 : (job.done() - from) * 1000 / millis;
    int percent = job.total() == 0 ? 0 : (int) (job.done() * 100 / job.total());
    // every step of it would be too much to listen to
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
    return isBytes() ? Amounts.bytes(rate) : String.format(Locale.ROOT, "%,d", rate);
  }
}
