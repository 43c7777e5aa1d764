package io.stockroom.console.explorer;

import io.stockroom.protocol.check.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A call as a program to copy. The program reads the server's URL and the credentials from the
 * environment: {@code STOCKROOM_SERVER}, {@code STOCKROOM_APPID}, {@code STOCKROOM_SECRET} and
 * {@code STOCKROOM_TOKEN}.
 */
public enum Snippet {
  CURL("bash and curl", "bash"),
  JAVA("Java (SDK)", "java"),
  PYTHON("Python", "python"),
  CSHARP("C#", "csharp"),
  PHP("PHP", "php"),
  JAVASCRIPT("JavaScript", "js");

  private final String title;
  private final String fence;

  Snippet(String title, String fence) {
    this.title = title;
    this.fence = fence;
  }

  /** The display name of the language. */
  public String title() {
    return title;
  }

  /** The Markdown code fence name. */
  public String fence() {
    return fence;
  }

  /** The name used in URLs and file names, such as {@code curl}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the program that makes this call.
   *
   * @param target the path, with its query string if there is one
   * @param type the Content-Type
   */
  public String of(Endpoint endpoint, String target, String type, String body) {
    return template()
        .replace("{{path}}", path(target))
        .replace("{{type}}", type)
        .replace("{{call}}", this == JAVA ? SdkCall.of(endpoint, target, body) : "")
        .replace("{{body}}", literal(body));
  }

  private String template() {
    try (InputStream stream =
        Snippet.class.getResourceAsStream("/console/snippets/" + word() + ".txt")) {
      if (stream == null) {
        throw new IllegalStateException("missing resource: the snippet " + word());
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Encodes characters that could end a double-quoted string in any language. */
  private static String path(String target) {
    StringBuilder path = new StringBuilder();
    for (byte b : target.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b > ' ' && b < 127 && "\"'`$\\{}<>".indexOf(b) < 0;
      path.append(plain ? String.valueOf((char) b) : "%%%02X".formatted(b & 0xff));
    }
    return path.toString();
  }

  /** The body as a string literal of the language. */
  private String literal(String body) {
    return switch (this) {
      case CURL -> "'" + body.replace("'", "'\\''") + "'";
      case PHP -> "'" + body.replace("\\", "\\\\").replace("'", "\\'") + "'";
      case JAVA, PYTHON, CSHARP, JAVASCRIPT -> quoted(body);
    };
  }

  /** A double-quoted string with the escapes that Java, Python, C# and JavaScript share. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          boolean acts = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
          quoted.append(acts ? "\\u%04x".formatted((int) c) : String.valueOf(c));
        }
      }
    }
    return quoted.append('"').toString();
  }
}
