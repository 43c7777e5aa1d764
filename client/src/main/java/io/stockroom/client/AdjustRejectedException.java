package io.stockroom.client;

import java.io.Serializable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server made none of the adjustments of a call, because some are not possible now. See {@link
 * #failures} for all of them and the current quantities.
 */
public final class AdjustRejectedException extends StockroomException {
  private static final long serialVersionUID = 1;

  /** Why an adjustment is not possible. */
  public enum Reason {
    /** The quantity would become negative. */
    STOCK_INSUFFICIENT,
    /** The quantity would exceed the maximum. */
    STOCK_TOO_LARGE,
    /** The entry does not have the expected quantity. */
    STOCK_CHANGED,
    /** The product has no entry of this color and size. */
    ENTRY_MISSING,
    /** The product does not exist. */
    PRODUCT_MISSING,
    /** No entry has this barcode. */
    BARCODE_UNKNOWN,
    /** Several entries have this barcode: name the entry by product, color and size. */
    BARCODE_AMBIGUOUS,
    /** A reason that this version of the SDK does not know; see the code. */
    OTHER;

    static Reason of(String code) {
      for (Reason reason : values()) {
        if (reason.name().equals(code)) {
          return reason;
        }
      }
      return OTHER;
    }
  }

  /**
   * An adjustment that is not possible.
   *
   * @param index its index in the call; -1 if unknown
   * @param reason why it is not possible
   * @param current the entry's current quantity; null if there is no such entry
   * @param problem the server's location, code and message
   */
  public record Failure(int index, Reason reason, @Nullable Integer current, Problem problem)
      implements Serializable {
    private static final long serialVersionUID = 1;
    private static final Pattern INDEX = Pattern.compile("\\[(\\d{1,4})].*");

    static Failure read(Fields error) {
      Problem problem = new Problem(error.text("at"), error.text("code"), error.text("msg"));
      Matcher index = INDEX.matcher(problem.at());
      return new Failure(
          index.matches() ? Integer.parseInt(index.group(1)) : -1,
          Reason.of(problem.code()),
          error.intOrNull("current"),
          problem);
    }
  }

  private final List<Failure> failures;

  AdjustRejectedException(String words, Origin origin, List<Failure> failures) {
    super(words, origin, null);
    this.failures = List.copyOf(failures);
  }

  /** {@return every adjustment that is not possible} */
  public List<Failure> failures() {
    return failures;
  }

  /** Converts a rejected adjustment into an exception. */
  static StockroomException of(Answer answer) {
    boolean listed = answer.reply().status() == 200 && !answer.problems().isEmpty();
    return listed
        ? new AdjustRejectedException(
            answer.words(),
            answer.reply().origin(answer.codeText()),
            answer.fields().list("errors", Failure::read))
        : answer.failure();
  }
}
