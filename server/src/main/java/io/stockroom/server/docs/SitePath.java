package io.stockroom.server.docs;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Maps repository files to paths in the site, and computes relative links. */
final class SitePath {
  private static final String DOCS = "docs/";

  private SitePath() {}

  /**
   * {@code docs/api.md} becomes {@code api.html}; files outside docs are below {@code project/}.
   */
  static String of(String source) {
    String inside =
        source.startsWith(DOCS)
            ? source.substring(DOCS.length())
            : "project/" + source.toLowerCase(Locale.ROOT);
    if (!inside.endsWith(".md")) {
      return inside;
    }
    String page = inside.substring(0, inside.length() - ".md".length());
    return (page.equals("README") || page.endsWith("/README")
            ? page.replaceFirst("README$", "index")
            : page)
        + ".html";
  }

  /** The file that a link in {@code source} refers to; empty if it is outside the repository. */
  static Optional<String> target(String source, String link) {
    String path = link.replaceFirst("#.*", "");
    if (path.contains(":") || path.startsWith("/")) {
      return Optional.empty();
    }
    if (path.isEmpty()) {
      return Optional.of(source);
    }
    Path folder = Optional.<Path>ofNullable(Path.of(source).getParent()).orElse(Path.of(""));
    String target = folder.resolve(path).normalize().toString();
    return target.startsWith("..") ? Optional.empty() : Optional.of(target);
  }

  /** The fragment of a link, including the {@code #}. */
  static String fragment(String link) {
    int mark = link.indexOf('#');
    return mark < 0 ? "" : link.substring(mark);
  }

  /** The relative path from a page to another file of the site. */
  static String relative(String fromPage, String to) {
    return root(fromPage) + to;
  }

  /** The relative path from a page to the root: empty, or {@code ../} for each folder. */
  static String root(String page) {
    return "../".repeat((int) page.chars().filter(c -> c == '/').count());
  }
}
