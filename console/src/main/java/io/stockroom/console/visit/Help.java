package io.stockroom.console.visit;

import io.stockroom.protocol.Language;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which section of the docs explains a page. To add a page, add a line; a test checks the links.
 */
public final class Help {
  private static final String CONSOLE = "/console/";

  /** Ids in paths do not matter for help. */
  private static final Pattern STOCK = Pattern.compile("products/[0-9]+/stock(/.*)?");

  private static final Pattern EDIT = Pattern.compile("products/(new|[0-9]+/edit)");

  private static final Pattern ARCHIVE = Pattern.compile("products/(archived|[0-9]+/archive)");

  /** The docs page and section of each page, by the first words of its path. */
  private static final Map<String, String> SECTIONS =
      Map.ofEntries(
          Map.entry("overview", "console.html#overview"),
          Map.entry("products", "console.html#products"),
          Map.entry("products/bulk", "console.html#edit-stock-of-several-products"),
          Map.entry("imports", "importing.html"),
          Map.entry("changes", "console.html#changes"),
          Map.entry("webhooks", "console.html#webhooks"),
          Map.entry("usage", "console.html#usage"),
          Map.entry("requests", "console.html#the-request-log"),
          Map.entry("applications", "console.html#applications-and-tokens"),
          Map.entry("explorer", "console.html#explorer-and-checker"),
          Map.entry("explorer/check", "signing.html#troubleshooting"),
          Map.entry("merchants", "console.html#merchants"),
          Map.entry("people", "console.html#people"),
          Map.entry("limits", "console.html#limits"),
          Map.entry("audit", "console.html#audit"),
          Map.entry("health", "console.html#health"),
          Map.entry("cells", "console.html#cells"),
          Map.entry("account", "console.html#sessions-and-passwords"),
          Map.entry("sign-in", "console.html#signing-in-for-the-first-time"),
          Map.entry("link", "console.html#signing-in-for-the-first-time"));

  private static final String STOCK_GRID = "console.html#the-stock-grid";

  /** The pages that exist in Chinese, too. */
  private static final Set<String> TRANSLATED =
      Set.of("console.html", "importing.html", "signing.html");

  private Help() {}

  /** The address of the section for a path of the console; the docs in general if there is none. */
  static String address(String path, Language language) {
    String section = section(path);
    boolean chinese =
        language == Language.CHINESE && TRANSLATED.contains(section.replaceFirst("#.*", ""));
    return "/docs/" + (chinese ? "zh/" : "") + section;
  }

  private static String section(String path) {
    String words = path.startsWith(CONSOLE) ? path.substring(CONSOLE.length()) : "";
    if (STOCK.matcher(words).matches()) {
      return STOCK_GRID;
    }
    if (EDIT.matcher(words).matches()) {
      return "console.html#create-and-edit";
    }
    if (ARCHIVE.matcher(words).matches()) {
      return "console.html#archive-and-restore";
    }
    for (String at = words; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
      String found = SECTIONS.get(at);
      if (found != null) {
        return found;
      }
    }
    return "console.html";
  }
}
