package io.stockroom.server.imports;

import io.stockroom.server.audit.Actor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One import as the database knows it. */
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

  /** Where an import stands. */
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

    /** Whether nothing more happens to it unless somebody asks. */
    public boolean resting() {
      return switch (this) {
        case WAITING, PLANNING, APPLYING -> false;
        case PLANNED, APPLIED, REFUSED, FAILED, CANCELLED, EXPIRED -> true;
      };
    }

    /** Whether the file can be planned again, as long as it is kept. */
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
