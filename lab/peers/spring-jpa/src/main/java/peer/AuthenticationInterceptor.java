package peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;

/** Checks the four headers of every call. */
@Component
public class AuthenticationInterceptor implements HandlerInterceptor {
  static final String CALLER = "caller";

  private static final String WRONG =
      "The application, the signature or the access token is wrong. Check that appid and"
          + " accesstoken belong together, and that sign is MD5(secret + timestamp) with the"
          + " timestamp of this request.";

  private final AccessTokenRepository tokens;
  private final InterfaceSettings settings;
  private final Clock clock;

  public AuthenticationInterceptor(
      AccessTokenRepository tokens, InterfaceSettings settings, Clock clock) {
    this.tokens = tokens;
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    String appid = header(request, "appid");
    String sign = header(request, "sign");
    String timestamp = header(request, "timestamp");
    String token = header(request, "accesstoken");
    if (!timestamp.matches("[0-9]{10}")) {
      throw new BadRequest("timestamp", "TIMESTAMP_FORMAT", timestamp + " is not a Unix time");
    }
    Credential credential =
        tokens
            .findCredential(appid, hex("SHA-256", token))
            .orElseThrow(() -> new BadRequest("", "CREDENTIALS_WRONG", WRONG));
    byte[] expected = hex("MD5", credential.secret() + timestamp).getBytes(UTF_8);
    if (!MessageDigest.isEqual(expected, sign.toLowerCase().getBytes(UTF_8))) {
      throw new BadRequest("", "CREDENTIALS_WRONG", WRONG);
    }
    Instant now = clock.instant();
    Instant signedAt = Instant.ofEpochSecond(Long.parseLong(timestamp));
    if (Duration.between(signedAt, now).abs().compareTo(settings.timestampWindow()) > 0) {
      throw new BadRequest("timestamp", "TIMESTAMP_WINDOW", timestamp + " is too far from now");
    }
    if (!credential.isUsable(now)) {
      throw new BadRequest("accesstoken", "TOKEN_EXPIRED", "The access token expired");
    }
    request.setAttribute(CALLER, credential);
    return true;
  }

  private static String header(HttpServletRequest request, String name) {
    String value = request.getHeader(name);
    if (value == null || value.isEmpty()) {
      throw new BadRequest(name, "HEADER_MISSING", "The header " + name + " is missing or empty.");
    }
    return value;
  }

  private static String hex(String algorithm, String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
