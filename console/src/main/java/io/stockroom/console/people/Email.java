package io.stockroom.console.people;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Normalizes email addresses: stripped, lower case. */
public final class Email {
  public static final String EXPECTED = "write an email address such as li@example.com";

  private static final int MAX_CHARACTERS = 190;
  private static final Pattern FORM =
      Pattern.compile("[^\\s@/\\p{Cntrl}\\p{Cs}]+@[^\\s@/\\p{Cntrl}\\p{Cs}]+");

  private Email() {}

  /** The normalized address; null if it is invalid. */
  public static @Nullable String of(String text) {
    String email = Normalizer.normalize(text.strip(), Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    return email.length() <= MAX_CHARACTERS && FORM.matcher(email).matches() ? email : null;
  }
}
