package io.stockroom.core.stock;

/** The ways by which stock is changed. */
public enum ChangeSource {
  /** A person, on a page of the console. */
  PAGE("page"),
  /** An application, by a call of the interface. */
  CALL("call"),
  /** A file that was brought in. */
  IMPORT("import");

  private final String word;

  ChangeSource(String word) {
    this.word = word;
  }

  /** As the table has it. */
  public String word() {
    return word;
  }
}
