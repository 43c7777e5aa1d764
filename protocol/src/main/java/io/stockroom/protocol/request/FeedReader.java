package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import java.util.regex.Pattern;

/** Reads the calls that follow a merchant's changes: feed, snapshot and digest. */
public final class FeedReader {
  /** Instead of a cursor: no changes, only the current cursor. */
  public static final String LATEST = "latest";

  public static final int MAX_CHANGES = 1000;
  public static final int DEFAULT_CHANGES = 200;
  public static final int MAX_WAIT_SECONDS = 25;
  public static final int MAX_PRODUCTS = 500;
  public static final int DEFAULT_PRODUCTS = 200;

  private static final String AFTER = "after";

  /** What cursors look like. Their content is the server's business. */
  private static final Pattern CURSOR = Pattern.compile("[csp]_[A-Za-z0-9_-]{1,62}");

  /**
   * A request of {@code /Changes}.
   *
   * @param after a cursor, {@link #LATEST}, or empty for the oldest change that is kept
   */
  public record ChangesRequest(String after, int limit, int waitSeconds) {}

  /**
   * A request of {@code /Stock/Snapshot}.
   *
   * @param after what the last page returned as {@code next}; empty for the first page
   */
  public record SnapshotRequest(String after, int limit) {}

  private FeedReader() {}

  public static ChangesRequest changes(RequestContent content) throws InvalidRequest {
    FormReader form = form(content);
    String after = after(form);
    int limit = form.within("limit", 1, MAX_CHANGES, DEFAULT_CHANGES);
    int wait = form.within("wait", 0, MAX_WAIT_SECONDS, 0);
    form.problems().throwIfAny();
    return new ChangesRequest(after, limit, wait);
  }

  public static SnapshotRequest snapshot(RequestContent content) throws InvalidRequest {
    FormReader form = form(content);
    String after = cursor(form, AFTER);
    int limit = form.within("limit", 1, MAX_PRODUCTS, DEFAULT_PRODUCTS);
    form.problems().throwIfAny();
    return new SnapshotRequest(after, limit);
  }

  /** {@code /Stock/Digest} has no fields; unknown ones are ignored, as everywhere. */
  public static RequestContent digest(RequestContent content) throws InvalidRequest {
    form(content).problems().throwIfAny();
    return content;
  }

  private static FormReader form(RequestContent content) throws InvalidRequest {
    FormReader.requireFormOrNoBody(content);
    return FormReader.of(content);
  }

  private static String after(FormReader form) {
    return LATEST.equals(form.get(AFTER)) ? LATEST : cursor(form, AFTER);
  }

  /** The cursor {@code name}; empty if it is missing. */
  static String cursor(FormReader form, String name) {
    String cursor = form.get(name);
    if (cursor == null || cursor.isEmpty()) {
      return "";
    }
    if (!CURSOR.matcher(cursor).matches()) {
      form.problems().add(name, ErrorCode.CURSOR_FORMAT, cursor);
    }
    return cursor;
  }
}
