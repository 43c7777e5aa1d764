package io.stockroom.server.testing;

import io.stockroom.console.people.Totp;
import java.time.Instant;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The authenticator app of a person with two-step verification. */
public final class TestFactor {
  private static final Pattern SECRET = Pattern.compile("id=\"secret\">([A-Z2-7 ]+)<");
  private static final Pattern RECOVERY_CODE = Pattern.compile("[A-Z2-7]{4}(-[A-Z2-7]{4}){3}");

  private final TestPerson person;
  private final String secret;
  private final List<String> recoveryCodes;

  private TestFactor(TestPerson person, String secret, List<String> recoveryCodes) {
    this.person = person;
    this.secret = secret;
    this.recoveryCodes = recoveryCodes;
  }

  /** Sets up two-step verification over HTTP, in the person's session. */
  public static TestFactor of(TestPerson person) {
    Pages pages = Pages.of(person);
    pages.post("/console/account/second-factor/begin");
    String secret = secret(pages.get("/console/account/second-factor").body());
    String done =
        pages.post("/console/account/second-factor/confirm", "code", code(secret, 0)).body();
    return new TestFactor(person, secret, recoveryCodes(done));
  }

  /** The secret on a page. */
  public static String secret(String page) {
    Matcher matcher = SECRET.matcher(page);
    if (!matcher.find()) {
      throw new AssertionError("no secret in " + page);
    }
    return matcher.group(1).replace(" ", "");
  }

  public static List<String> recoveryCodes(String page) {
    return RECOVERY_CODE.matcher(page).results().map(MatchResult::group).toList();
  }

  /** The code in the given number of steps. */
  public static String code(String secret, int steps) {
    return Totp.code(secret, Totp.step(Instant.now()) + steps);
  }

  public String secret() {
    return secret;
  }

  public List<String> recoveryCodes() {
    return recoveryCodes;
  }

  public String code(int steps) {
    return code(secret, steps);
  }

  /** A valid code, independent of used codes, so a test need not wait for the next step. */
  public String fresh() {
    person.forgetUsedCodes();
    return code(0);
  }
}
