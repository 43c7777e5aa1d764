package io.stockroom.cli;

import io.stockroom.protocol.Signature;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "sign",
    description = {
      "Print the timestamp and sign headers of a request.",
      "The md5 signature is the MD5 of the secret followed by the time, in upper-case hexadecimal."
          + " The hmac-sha256 signature covers a whole POST request: its path, time, token and"
          + " body. Both are valid for a few minutes."
    },
    footer = {
      "  stockroom sign --secret SECRET",
      "  STOCKROOM_SECRET=SECRET stockroom sign --timestamp 1700000000",
      "  stockroom sign --method hmac-sha256 --secret SECRET --token TOKEN \\",
      "      --path /Stock/Creat --body stock.json"
    })
final class SignCommand implements Runnable {
  private final Shell shell;

  @Mixin private final SecretOptions secrets = new SecretOptions();

  @Option(
      names = "--timestamp",
      paramLabel = "SECONDS",
      description = "Unix time in seconds, ten digits (default: now).")
  private @Nullable String timestamp;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      converter = SignMethod.Converter.class,
      completionCandidates = SignMethod.Words.class,
      description = "Signature method: md5 or hmac-sha256 (default: md5).")
  private SignMethod method = SignMethod.MD5;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description = "hmac-sha256: the path as sent, with its query string.")
  private @Nullable String path;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "hmac-sha256: the access token (default: STOCKROOM_TOKEN).")
  private @Nullable String token;

  @Option(
      names = "--body",
      paramLabel = "FILE",
      description =
          "hmac-sha256: the body, exactly as sent; - for standard input (default: an"
              + " empty body).")
  private @Nullable Path body;

  @Option(
      names = "--nonce",
      paramLabel = "NONCE",
      description = "hmac-sha256: the nonce, 16 to 64 characters; some calls need one.")
  private String nonce = "";

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "hmac-sha256: the header Idempotency-Key, if it is sent.")
  private String idempotencyKey = "";

  @Option(names = "--json", description = "Print the result as one JSON object.")
  private boolean json;

  SignCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    String key = secrets.secret(shell).orElse("");
    if (key.isEmpty()) {
      throw CommandException.usage(
          "There is no secret: pass --secret SECRET, set STOCKROOM_SECRET, or add a profile.");
    }
    String time = timestamp == null ? Long.toString(Instant.now().getEpochSecond()) : timestamp;
    refuseOtherTimes(time);
    ObjectNode headers = Json.object().put("timestamp", time);
    switch (method) {
      case MD5 -> {
        refuseWhatIsNotSigned();
        headers.put("sign", Signature.sign(key, time));
      }
      case HMAC_SHA256 -> {
        headers.put("sign-method", method.toString()).put("sign", signRequest(key, time));
        if (!nonce.isEmpty()) {
          headers.put("sign-nonce", nonce);
        }
        if (!idempotencyKey.isEmpty()) {
          headers.put("Idempotency-Key", idempotencyKey);
        }
      }
    }
    Output output = new Output(shell, json);
    output.show(
        () -> headers,
        () ->
            headers
                .properties()
                .forEach(
                    header -> output.line(header.getKey() + ": " + header.getValue().asString())));
  }

  private String signRequest(String key, String time) {
    @Nullable String usedToken = token == null ? storedToken() : token;
    if (path == null || usedToken == null) {
      throw CommandException.usage(
          "hmac-sha256 signs the whole request and also needs %s."
              .formatted(
                  path != null
                      ? "--token (or STOCKROOM_TOKEN)"
                      : usedToken != null ? "--path" : "--path and --token (or STOCKROOM_TOKEN)"));
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
    return Signature.hmac(
        key, Signature.signedText("POST", path, time, usedToken, content(), nonce, idempotencyKey));
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

  private byte[] content() {
    if (body == null) {
      return new byte[0];
    }
    try (InputFile input = InputFile.open(body, shell)) {
      return input.read(CallCommand.MAX_BODY_BYTES);
    }
  }

  /**
   * Rejects options that md5 does not sign, because the user would assume that they are protected.
   */
  private void refuseWhatIsNotSigned() {
    String ignored =
        path != null
            ? "--path"
            : token != null
                ? "--token"
                : body != null
                    ? "--body"
                    : !nonce.isEmpty()
                        ? "--nonce"
                        : !idempotencyKey.isEmpty() ? "--idempotency-key" : null;
    if (ignored != null) {
      throw CommandException.usage(
          "%s is not part of an md5 signature; pass --method hmac-sha256 to sign the whole request."
              .formatted(ignored));
    }
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
