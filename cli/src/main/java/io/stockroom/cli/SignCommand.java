package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.option;

import io.stockroom.protocol.Signature;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom sign}. */
final class SignCommand {
  private final SecretOptions secrets;
  private final Given given;
  private final Shell shell;

  private SignCommand(SecretOptions secrets, Given given) {
    this.secrets = secrets;
    this.given = given;
    this.shell = given.shell();
  }

  static CommandSpec make(Shell shell) {
    SecretOptions secrets = new SecretOptions();
    return CommandDefinition.local("sign", given -> new SignCommand(secrets, given).run())
        .does(
            "Print the timestamp and sign headers of a request.",
            "The md5 signature is the MD5 of the secret followed by the time, in upper-case"
                + " hexadecimal. The hmac-sha256 signature covers a whole POST request: its path,"
                + " time, token and body. Both are valid for a few minutes.")
        .examples(
            "stockroom sign --secret SECRET",
            "STOCKROOM_SECRET=SECRET stockroom sign --timestamp 1700000000",
            "stockroom sign --method hmac-sha256 --secret SECRET --token TOKEN \\",
            "    --path /Stock/Creat --body stock.json")
        .with(
            option("--timestamp", "SECONDS", "Unix time in seconds, ten digits (default: now)."),
            SignMethod.option("--method", "Signature method: md5 or hmac-sha256 (default: md5)."),
            option("--path", "PATH", "hmac-sha256: the path as sent, with its query string."),
            option("--token", "TOKEN", "hmac-sha256: the access token (default: STOCKROOM_TOKEN)."),
            option(
                "--body",
                "FILE",
                "hmac-sha256: the body, exactly as sent; - for standard input (default: an empty"
                    + " body)."),
            option(
                "--nonce",
                "NONCE",
                "hmac-sha256: the nonce, 16 to 64 characters; some calls need one."),
            option(
                "--idempotency-key",
                "KEY",
                "hmac-sha256: the header Idempotency-Key, if it is sent."))
        .mixin(secrets)
        .json()
        .spec(shell);
  }

  private int run() {
    String key = secrets.secret(shell).orElse("");
    if (key.isEmpty()) {
      throw CommandException.usage(
          "There is no secret: pass --secret SECRET, set STOCKROOM_SECRET, or add a profile.");
    }
    String time =
        given.has("--timestamp")
            ? given.text("--timestamp")
            : Long.toString(Instant.now().getEpochSecond());
    refuseOtherTimes(time);
    ObjectNode headers = Json.object().put("timestamp", time);
    SignMethod method = SignMethod.of(given, "--method");
    switch (method) {
      case MD5 -> {
        refuseWhatIsNotSigned();
        headers.put("sign", Signature.sign(key, time));
      }
      case HMAC_SHA256 -> {
        headers.put("sign-method", method.toString()).put("sign", signRequest(key, time));
        if (given.has("--nonce")) {
          headers.put("sign-nonce", given.text("--nonce"));
        }
        if (given.has("--idempotency-key")) {
          headers.put("Idempotency-Key", given.text("--idempotency-key"));
        }
      }
    }
    Output output = given.output();
    output.show(
        () -> headers,
        () ->
            headers
                .properties()
                .forEach(
                    header -> output.line(header.getKey() + ": " + header.getValue().asString())));
    return 0;
  }

  private String signRequest(String key, String time) {
    String token = given.has("--token") ? given.text("--token") : storedToken();
    String path = given.orNull("--path");
    String nonce = given.text("--nonce");
    if (path == null || token == null) {
      String missing = token == null ? "--token (or STOCKROOM_TOKEN)" : "";
      String both = path == null && token == null ? " and " : "";
      throw CommandException.usage(
          "hmac-sha256 signs the whole request and also needs %s%s%s."
              .formatted(path == null ? "--path" : "", both, missing));
    }
    if (!path.startsWith("/")) {
      throw CommandException.usage(
          "--path is '%s'; pass it as sent, such as /Stock/Creat".formatted(path));
    }
    if (!nonce.isEmpty() && !Signature.isWellFormedNonce(nonce)) {
      throw CommandException.usage(
          "--nonce is '%s'; pass 16 to 64 visible ASCII characters, such as a UUID."
              .formatted(nonce));
    }
    String idempotencyKey = given.text("--idempotency-key");
    return Signature.hmac(
        key,
        Signature.signedText(
            "POST", path, time, token, given.body("--body"), nonce, idempotencyKey));
  }

  /**
   * The token belongs to the secret: from a named profile, the environment, or the default profile.
   */
  private @Nullable String storedToken() {
    String variable = shell.variable("STOCKROOM_TOKEN");
    Optional<Profile> named = secrets.namedProfile(shell);
    if (named.isPresent()) {
      return named.get().credentials().accesstoken();
    }
    return variable != null || secrets.given(shell).isPresent()
        ? variable
        : SecretOptions.currentProfile(shell)
            .map(profile -> profile.credentials().accesstoken())
            .orElse(null);
  }

  /**
   * Rejects options that md5 does not sign, because the user would assume that they are protected.
   */
  private void refuseWhatIsNotSigned() {
    Stream.of("--path", "--token", "--body", "--nonce", "--idempotency-key")
        .filter(given::has)
        .findFirst()
        .ifPresent(
            ignored -> {
              throw CommandException.usage(
                  "%s is not part of an md5 signature; pass --method hmac-sha256 to sign the whole request."
                      .formatted(ignored));
            });
  }

  private static void refuseOtherTimes(String time) {
    if (time.matches("[0-9]{10}")) {
      return;
    }
    throw CommandException.usage(
        time.matches("[0-9]{13}")
            ? "--timestamp %s is in milliseconds (13 digits); pass seconds: %s"
                .formatted(time, time.substring(0, 10))
            : "--timestamp '%s' is not Unix time in seconds, which has ten digits."
                .formatted(time));
  }
}
