package io.stockroom.console.people;

import java.util.Arrays;
import java.util.Optional;

/** What a person may see and do in the console. */
public enum Role {
  /** Runs the server; belongs to no merchant. */
  OPERATOR("operator"),
  /** Works with a merchant's products, stock and usage. */
  MERCHANT("merchant"),
  /** Works with a merchant's applications: tokens, request log, explorer. */
  DEVELOPER("developer");

  private final String word;

  Role(String word) {
    this.word = word;
  }

  /** The name in the database, the CLI and the admin API. */
  public String word() {
    return word;
  }

  public static Optional<Role> of(String word) {
    return Arrays.stream(values()).filter(role -> role.word.equals(word)).findFirst();
  }
}
