package io.stockroom.core.traffic;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of the interface and how it ended.
 *
 * @param requestId the id that the answer carried
 * @param merchantId whose call it was; 0 where nobody knows
 * @param applicationId the application that called; 0 where nobody knows
 * @param endpoint the address of the interface, or {@link #OTHER}
 * @param code why it was no success; empty where it was one
 * @param nanos how long it took
 */
public record Exchange(
    String requestId,
    int merchantId,
    int applicationId,
    String endpoint,
    int status,
    String code,
    long nanos) {
  /** Stands for every address that is none of the interface. */
  public static final String OTHER = "other";

  /** Says whether the caller got what it asked for. */
  public boolean isSuccess() {
    return code.isEmpty() && status < 400;
  }

  /** A line of a request's head. */
  public record Header(String name, String value) {}

  /**
   * What was sent and answered.
   *
   * @param path with the query string
   * @param body null where it was not read
   */
  public record Content(
      String method,
      String path,
      String address,
      List<Header> headers,
      byte @Nullable [] body,
      byte[] answer) {}
}
