package io.stockroom.core.catalogue;

import java.util.Locale;
import java.util.Set;

/** What readers lose when markup is removed from a description. */
public enum RemovedMarkup {
  /** Something that was shown: a frame, a video, a picture without a web address. */
  CONTENT,
  /** A color, a font or another style of what stays. */
  LOOK,
  /** Nothing that was shown: a script, a form's action. */
  NOTHING;

  private static final Set<String> SHOWN =
      Set.of(
          "iframe",
          "frame",
          "video",
          "audio",
          "object",
          "embed",
          "applet",
          "svg",
          "canvas",
          "form",
          "input",
          "select",
          "textarea",
          "button",
          "picture",
          "map",
          "math",
          "img src",
          "a href");
  private static final Set<String> LOOKS =
      Set.of(
          "style",
          "font",
          "center",
          "color",
          "bgcolor",
          "background",
          "face",
          "size",
          "align",
          "valign",
          "width",
          "height",
          "border",
          "cellpadding",
          "cellspacing",
          "big",
          "hspace",
          "vspace",
          "link",
          "marquee",
          "strike",
          "tt",
          "nowrap");

  /** Of no interest to anybody: nothing is shown by it, and nothing is run. */
  private static final Set<String> SILENT =
      Set.of(
          "class",
          "id",
          "name",
          "target",
          "meta",
          "html",
          "head",
          "body",
          "title",
          "charset",
          "lang",
          "dir",
          "role",
          "itemprop",
          "itemscope",
          "itemtype",
          "loading",
          "decoding",
          "srcset",
          "sizes",
          "section",
          "article",
          "header",
          "footer",
          "main",
          "figure",
          "figcaption",
          "cite",
          "tabindex",
          "crossorigin",
          "referrerpolicy",
          "start",
          "type",
          "value",
          "scope",
          "summary");

  /** The markup as {@link Descriptions} names it: {@code <script>} or {@code <p onclick>}. */
  public static RemovedMarkup of(String what) {
    String bare = bare(what);
    String last = bare.substring(bare.indexOf(' ') + 1);
    if (SHOWN.contains(bare)) {
      return CONTENT;
    }
    return LOOKS.contains(last) ? LOOK : NOTHING;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether anybody needs to know. */
  static boolean isNews(String what) {
    String bare = bare(what);
    String last = bare.substring(bare.indexOf(' ') + 1);
    return !SILENT.contains(last)
        && !last.startsWith("data-")
        && !last.startsWith("aria-")
        && last.indexOf(':') < 0;
  }

  private static String bare(String what) {
    return what.substring(1, what.length() - 1).toLowerCase(Locale.ROOT);
  }
}
