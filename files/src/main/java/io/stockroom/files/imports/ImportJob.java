package io.stockroom.files.imports;

import io.stockroom.core.audit.Actor;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.read.ImportOptions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An import as stored in the database. */
public record ImportJob(
    int merchantId,
    int importId,
    String name,
    Actor actor,
    State state,
    boolean apply,
    boolean skipBad,
    long bytes,
    String guessedEncoding,
    ImportOptions options,
    ImportReport report,
    String phase,
    long done,
    long total,
    String unit,
    boolean fileKept,
    boolean rejected,
    int attempts,
    String trouble,
    Instant createdAt,
    @Nullable Instant finishedAt) {

  /** The state of an import. */
  public enum State {
    WAITING("waiting"),
    PLANNING("planning"),
    PLANNED("planned"),
    APPLYING("applying"),
    APPLIED("applied"),
    REFUSED("refused"),
    FAILED("failed"),
    CANCELLED("cancelled"),
    EXPIRED("expired");

    private final String word;

    State(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    /** Whether it waits for a person or is finished. */
    public boolean resting() {
      return switch (this) {
        case WAITING, PLANNING, APPLYING -> false;
        case PLANNED, APPLIED, REFUSED, FAILED, CANCELLED, EXPIRED -> true;
      };
    }

    /** Whether the file can be planned again while it is stored. */
    public boolean plannable() {
      return switch (this) {
        case PLANNED, REFUSED, FAILED -> true;
        case WAITING, PLANNING, APPLYING, APPLIED, CANCELLED, EXPIRED -> false;
      };
    }

    public static @Nullable State named(String word) {
      for (State state : values()) {
        if (state.word.equals(word)) {
          return state;
        }
      }
      return null;
    }
  }
}
