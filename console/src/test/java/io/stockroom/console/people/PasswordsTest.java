package io.stockroom.console.people;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PasswordsTest {
  private static final String PASSWORD = "three words in a row";

  private final Passwords passwords = new Passwords();

  @Test
  void hashesWithArgon2idAndARandomSalt() {
    String once = passwords.hash(PASSWORD);
    String again = passwords.hash(PASSWORD);

    assertThat(once).startsWith("$argon2id$v=19$m=19456,t=2,p=1$").isNotEqualTo(again);
    assertThat(passwords.matches(PASSWORD, once)).isTrue();
    assertThat(passwords.matches(PASSWORD, again)).isTrue();
    assertThat(passwords.matches(PASSWORD + " ", once)).isFalse();
  }

  /** From the reference implementation: argon2 with "somesalt", -id -t 2 -k 256 -p 1. */
  @Test
  void agreesWithTheReferenceImplementation() {
    String known =
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";

    assertThat(passwords.matches("password", known)).isTrue();
    assertThat(passwords.matches("passwore", known)).isFalse();
  }

  @Test
  void nothingMatchesAMissingPassword() {
    assertThat(passwords.matches("", null)).isFalse();
    assertThat(passwords.matches(PASSWORD, null)).isFalse();
  }
}
