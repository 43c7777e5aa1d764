package io.stockroom.client;

/**
 * The result of publishing a fetched product in the bound store.
 *
 * @param pid the product's id
 * @param result the result
 * @param url the URL of the product's page; may be empty
 * @param message why it failed, or any note; may be empty
 */
public record PublishResult(int pid, Result result, String url, String message) {
  /** The possible results. */
  public enum Result {
    /** The product is visible in the store. */
    PUBLISHED("published"),
    /** The product could not be published. */
    FAILED("failed"),
    /** The product was published and has been taken down. */
    WITHDRAWN("withdrawn");

    private final String word;

    Result(String word) {
      this.word = word;
    }

    /** {@return the value sent to the server} */
    public String word() {
      return word;
    }
  }

  /**
   * A product that is visible in the store.
   *
   * @param pid the product's id
   * @param url the URL of its page; may be empty
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
   * A product that has been taken down.
   *
   * @param pid the product's id
   * @return the result to report
   */
  public static PublishResult withdrawn(int pid) {
    return new PublishResult(pid, Result.WITHDRAWN, "", "");
  }
}
