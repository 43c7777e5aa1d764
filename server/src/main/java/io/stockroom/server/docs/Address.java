package io.stockroom.server.docs;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Where a file of the repository stands in the site, and how one page leads to another. */
final class Address {
  private static final String DOCS = "docs/";

  private Address() {}

  /**
   * {@code docs/api.md} is {@code api.html}; what stands outside of docs goes to {@code project/}.
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

  /** The file that a link in {@code source} means; empty where it leaves the repository. */
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

  /** The part of a link from its {@code #} on. */
  static String fragment(String link) {
    int mark = link.indexOf('#');
    return mark < 0 ? "" : link.substring(mark);
  }

  /** The way from a page to another file of the site. */
  static String relative(String fromPage, String to) {
    return root(fromPage) + to;
  }

  /** The way from a page up to the first one: empty, or {@code ../} for each folder. */
  static String root(String page) {
    return "../".repeat((int) page.chars().filter(c -> c == '/').count());
  }
}
