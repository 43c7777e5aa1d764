package io.stockroom.client;

/**
 * What became of a fetched product in the bound store.
 *
 * @param pid the product's id
 * @param result what became of it
 * @param url where it can be seen; may be empty
 * @param message why it failed, or anything worth keeping; may be empty
 */
public record PublishResult(int pid, Result result, String url, String message) {
  /** What can become of a product. */
  public enum Result {
    /** It can be seen in the store. */
    PUBLISHED("published"),
    /** It could not be published. */
    FAILED("failed"),
    /** It was published and is taken away again. */
    WITHDRAWN("withdrawn");

    private final String word;

    Result(String word) {
      this.word = word;
    }

    /** {@return the result as it is written on the wire} */
    public String word() {
      return word;
    }
  }

  /**
   * A product that can be seen in the store.
   *
   * @param pid the product's id
   * @param url where it can be seen; may be empty
   * @return the result to report
   */
  public static PublishResult published(int pid, String url) {
    return new PublishResult(pid, Result.PUBLISHED, url, "");
  }

  /**
   * A product that could not be published.
   *
   * @param pid the product's id
   * @param message why not; may be empty
   * @return the result to report
   */
  public static PublishResult failed(int pid, String message) {
    return new PublishResult(pid, Result.FAILED, "", message);
  }

  /**
   * A product that is taken away again.
   *
   * @param pid the product's id
   * @return the result to report
   */
  public static PublishResult withdrawn(int pid) {
    return new PublishResult(pid, Result.WITHDRAWN, "", "");
  }
}
