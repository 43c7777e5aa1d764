package io.stockroom.files.imports;

import io.stockroom.core.audit.Actor;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.read.ImportOptions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as stored in the database: an import of a file, a bulk edit, or the undo of another job.
 *
 * @param undoes the job whose changes an undo writes back; null for other kinds
 * @param undoneBy the job that undoes this one, running or applied; null if there is none
 * @param secondsLeft how long the current phase still takes at its present rate; null if unknown
 * @param batch the batch of its changes in the log; null if there are none
 */
public record ImportJob(
    int merchantId,
    int importId,
    Kind kind,
    @Nullable Integer undoes,
    @Nullable Integer undoneBy,
    @Nullable Long batch,
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
    @Nullable Instant finishedAt,
    @Nullable Long secondsLeft) {

  /** What a job does. */
  public enum Kind {
    IMPORT("import"),
    /** A bulk edit in the console. It is written at once, so it is stored when it has ended. */
    EDIT("edit"),
    UNDO("undo");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    static Kind named(String word) {
      for (Kind kind : values()) {
        if (kind.word.equals(word)) {
          return kind;
        }
      }
      throw new IllegalArgumentException(word);
    }
  }

  /** Whether it can be undone: it changed something and has not been undone yet. */
  public boolean isUndoable() {
    return state == State.APPLIED && batch != null && undoneBy == null;
  }

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
