package io.stockroom.core.catalogue;

import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.owasp.html.HtmlChangeListener;
import org.owasp.html.HtmlPolicyBuilder;
import org.owasp.html.PolicyFactory;

/**
 * Sanitizes product descriptions. Keeps text, headings, lists, tables, emphasis, links and
 * pictures. Other sites embed the descriptions in their pages, so scripts and styles are removed.
 */
public final class Descriptions {
  private static final Pattern WEB = Pattern.compile("(?i)(?<scheme>https?:)?//[^\\s/\\\\].*");

  private static final Pattern EMBEDDED =
      Pattern.compile(
          "(?i)(?<head><img\\b[^<>]{0,2000}?\\bsrc\\s*=\\s*(?<quote>[\"']))"
              + "\\s*data:[^,\"']{0,100};base64,(?<data>[^\"']*)(?=\\k<quote>)");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}%?");
  private static final Pattern SIDE = Pattern.compile("(?i)left|right|center|justify");

  /** ASCII punctuation, full-width punctuation except angle brackets, and emoji. */
  private static final Pattern NUMBERED =
      Pattern.compile(
          "<[^>]*>|&#(?:(34|39|43|61|64|96)"
              + "|x(ff(?!1c|1e)[0-9a-e][0-9a-f]|[12](?!fff[ef])[0-9a-f]{4}));");

  private static final PolicyFactory POLICY =
      new HtmlPolicyBuilder()
          .allowElements("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "br", "hr")
          .allowElements("ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "code")
          .allowElements("b", "strong", "i", "em", "u", "s", "small", "sub", "sup", "mark")
          .allowElements("table", "caption", "colgroup", "col", "thead", "tbody", "tfoot")
          .allowElements("tr", "th", "td", "a", "img")
          .allowWithoutAttributes("span", "a")
          .allowAttributes("colspan", "rowspan", "width", "height")
          .matching(NUMBER)
          .onElements("th", "td", "table", "col", "img")
          .allowAttributes("align")
          .matching(SIDE)
          .onElements("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "th", "td")
          .allowAttributes("alt", "title")
          .onElements("img", "a")
          .allowAttributes("src")
          .matching((element, attribute, address) -> picture(address))
          .onElements("img")
          .allowAttributes("href")
          .onElements("a")
          .allowUrlProtocols("http", "https")
          .requireRelsOnLinks("nofollow", "noopener")
          .toFactory();

  /**
   * A sanitized description.
   *
   * @param removed the removed tags and attributes, such as {@code <script>} or {@code <p
   *     onclick>}, without those that do not matter to readers, such as {@code <p class>}
   */
  public record Cleaned(String text, Set<String> removed) {}

  private static final HtmlChangeListener<Set<String>> NOTES =
      new HtmlChangeListener<>() {
        @Override
        public void discardedTag(@Nullable Set<String> removed, String element) {
          note(removed, "<" + element + ">");
        }

        @Override
        public void discardedAttributes(
            @Nullable Set<String> removed, String element, String... attributes) {
          for (String attribute : attributes) {
            // the policy sets rel on every link
            if (!attribute.equals("rel")) {
              note(removed, "<" + element + " " + attribute + ">");
            }
          }
        }
      };

  private Descriptions() {}

  /** An address without a scheme gets {@code https:}; null if it is no web address. */
  private static @Nullable String picture(String address) {
    String bare = address.strip();
    Matcher web = WEB.matcher(bare);
    if (!web.matches()) {
      return null;
    }
    return web.group("scheme") == null ? "https:" + bare : bare;
  }

  /** Idempotent, except for incorrectly nested tags. */
  public static Cleaned clean(String html) {
    if (html.indexOf('<') < 0) {
      // plain text is harmless and stays as written
      return new Cleaned(html, Set.of());
    }
    Set<String> removed = new TreeSet<>();
    String once = POLICY.sanitize(html, NOTES, removed);
    return new Cleaned(readable(once), removed);
  }

  /** As above, after pictures in the text are stored and linked. */
  public static Cleaned clean(String html, EmbeddedPictures pictures) {
    return clean(EMBEDDED.matcher(html).replaceAll(found -> linked(found, pictures)));
  }

  private static String linked(MatchResult found, EmbeddedPictures pictures) {
    String address;
    try {
      address = pictures.store(Base64.getMimeDecoder().decode(found.group("data")));
    } catch (IllegalArgumentException broken) {
      address = null;
    }
    return Matcher.quoteReplacement(
        address == null ? found.group() : found.group("head") + address);
  }

  /**
   * The sanitizer writes quotation marks, Chinese punctuation and emoji as numeric entities.
   * Decodes them between tags, where they are harmless, so that text stays as the merchant wrote
   * it.
   */
  private static String readable(String html) {
    return NUMBERED.matcher(html).replaceAll(found -> Matcher.quoteReplacement(decoded(found)));
  }

  private static String decoded(MatchResult found) {
    if (found.group(1) != null) {
      return Character.toString(Integer.parseInt(found.group(1)));
    }
    return found.group(2) == null
        ? found.group()
        : Character.toString(Integer.parseInt(found.group(2), 16));
  }

  private static void note(@Nullable Set<String> removed, String what) {
    if (removed != null && RemovedMarkup.isNews(what)) {
      removed.add(what);
    }
  }
}
