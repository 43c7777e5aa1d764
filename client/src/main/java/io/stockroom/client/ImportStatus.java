package io.stockroom.client;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a job has done so far.
 *
 * @param job its id
 * @param kind {@code import}, or {@code undo} for a job that undoes another
 * @param state such as {@code planned}, {@code applied}, {@code refused} or {@code failed}
 * @param undoable whether {@link ImportJobs#undo} is possible
 * @param undoneBy the job that undoes this one, or null
 * @param progress how far the current phase is
 * @param products the products that it creates, changes, leaves unchanged or rejects
 * @param entries the stock entries that it creates, changes or leaves unchanged
 * @param reason why it failed, or null
 * @param warnings what looks like a mistake in the file
 * @param errors the first errors; {@link ImportJobs#errors} returns all
 */
public record ImportStatus(
    String job,
    String kind,
    String state,
    boolean undoable,
    @Nullable String undoneBy,
    Progress progress,
    Products products,
    Entries entries,
    @Nullable String reason,
    List<String> warnings,
    List<ImportError> errors) {
  private static final Set<String> RUNNING = Set.of("waiting", "planning", "applying");

  /** Copies the lists. */
  public ImportStatus {
    warnings = List.copyOf(warnings);
    errors = List.copyOf(errors);
  }

  /**
   * How far the current phase is.
   *
   * @param phase {@code reading}, {@code comparing} or {@code writing}
   * @param done how much is done
   * @param total how much there is
   * @param unit what is counted, such as {@code bytes}, {@code products} or {@code records}
   * @param secondsLeft about how long the phase still takes; null if unknown
   */
  public record Progress(
      @Nullable String phase,
      long done,
      long total,
      @Nullable String unit,
      @Nullable Long secondsLeft) {}

  /**
   * Counts of products.
   *
   * @param created new ones
   * @param changed changed ones
   * @param unchanged unchanged ones
   * @param failed those with errors; of an undo, what it left as it is
   */
  public record Products(int created, int changed, int unchanged, int failed) {}

  /**
   * Counts of stock entries.
   *
   * @param created new ones
   * @param changed changed ones
   * @param unchanged unchanged ones
   */
  public record Entries(long created, long changed, long unchanged) {}

  /** {@return whether the job still works, so that its state will change} */
  public boolean isRunning() {
    return RUNNING.contains(state);
  }

  static ImportStatus read(Fields fields) {
    Fields progress = fields.object("progress");
    Fields products = fields.object("products");
    Fields entries = fields.object("entries");
    return new ImportStatus(
        fields.text("job"),
        fields.text("kind"),
        fields.text("state"),
        fields.flag("undoable"),
        fields.textOrNull("undoneBy"),
        new Progress(
            progress.textOrNull("phase"),
            progress.count("done"),
            progress.count("total"),
            progress.textOrNull("unit"),
            progress.wholeOrNull("secondsLeft")),
        new Products(
            products.whole("created"),
            products.whole("changed"),
            products.whole("unchanged"),
            products.whole("failed")),
        new Entries(entries.count("created"), entries.count("changed"), entries.count("unchanged")),
        fields.textOrNull("reason"),
        fields.list("warnings", warning -> warning.text("msg")),
        fields.list("errors", ImportError::read));
  }
}
