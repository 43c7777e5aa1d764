package io.stockroom.server.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.commonmark.node.Document;
import org.commonmark.node.Text;
import org.commonmark.renderer.html.HtmlRenderer;

/** The frame of every page: head, navigation, table of contents, previous and next page. */
final class PageLayout {
  private static final int FEW = 2;

  private final String template;
  private final Navigation english;
  private final Navigation chinese;
  private final Set<String> sources;

  /**
   * @param sources all pages, to find translations
   */
  PageLayout(String template, Navigation english, Navigation chinese, Set<String> sources) {
    this.template = template;
    this.english = english;
    this.chinese = chinese;
    this.sources = Set.copyOf(sources);
  }

  String page(Page page) {
    String root = SitePath.root(page.path());
    Navigation navigation = SiteWords.isChinese(page.source()) ? chinese : english;
    return fill(
        root,
        page.source(),
        page.source().equals(Navigation.SOURCE) ? "Stockroom docs" : page.title() + " · Stockroom",
        pages(navigation, root, page.source()),
        page.html(),
        contents(page),
        turning(navigation, root, page.source()));
  }

  /** The "not found" page; {@code root} is the relative path to the site's root. */
  String missing(String root) {
    String html =
        """
        <h1>Page not found</h1>
        <p>It may have moved. Search for it, or start at the <a href="%sindex.html">overview</a>.</p>
        """
            .formatted(root);
    return fill(root, "", "Page not found · Stockroom", pages(english, root, ""), html, "", "");
  }

  private String fill(
      String root,
      String source,
      String title,
      String list,
      String content,
      String contents,
      String turning) {
    SiteWords words = SiteWords.of(source);
    boolean chinesePage = SiteWords.isChinese(source);
    String translation = SiteWords.counterpart(source);
    String other =
        sources.contains(translation) && !translation.equals(source)
            ? translation
            : chinesePage ? Navigation.SOURCE : Navigation.CHINESE_SOURCE;
    Map<String, String> values =
        Map.ofEntries(
            Map.entry("root", root),
            Map.entry("home", root + SitePath.of((chinesePage ? chinese : english).source())),
            Map.entry("title", escape(title)),
            Map.entry("pages", list),
            Map.entry("content", content),
            Map.entry("contents", contents),
            Map.entry("turning", turning),
            Map.entry("tag", words.tag()),
            Map.entry("word-skip", words.skip()),
            Map.entry("word-pages", words.pages()),
            Map.entry("word-docs", words.docs()),
            Map.entry("word-search", words.search()),
            Map.entry("word-search-label", words.searchLabel()),
            Map.entry("word-colors", words.colors()),
            Map.entry("other", root + SitePath.of(other)),
            Map.entry("other-word", words.other()),
            Map.entry("other-tag", words.otherTag()));
    StringBuilder filled = new StringBuilder();
    String[] pieces = template.split("\\{\\{|\\}\\}", -1);
    for (int i = 0; i < pieces.length; i++) {
      filled.append(i % 2 == 0 ? pieces[i] : values.get(pieces[i]));
    }
    return filled.toString();
  }

  private static String pages(Navigation navigation, String root, String current) {
    return navigation.groups().stream()
        .map(group -> "<h2>%s</h2>\n%s".formatted(escape(group.name()), list(root, group, current)))
        .collect(Collectors.joining());
  }

  private static String list(String root, Navigation.Group group, String current) {
    return group.entries().stream()
        .map(
            entry ->
                "<li><a href=\"%s\"%s>%s</a></li>\n"
                    .formatted(
                        root + SitePath.of(entry.source()),
                        entry.source().equals(current) ? " aria-current=\"page\"" : "",
                        escape(entry.label())))
        .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
  }

  private static String contents(Page page) {
    String title = SiteWords.of(page.source()).onThisPage();
    List<Page.Section> listed =
        page.sections().stream()
            .filter(section -> section.level() == 2 || section.level() == 3)
            .toList();
    if (listed.size() < FEW) {
      return "";
    }
    return listed.stream()
        .map(
            section ->
                "<li class=\"level-%d\"><a href=\"#%s\">%s</a></li>\n"
                    .formatted(section.level(), section.anchor(), escape(section.heading())))
        .collect(
            Collectors.joining(
                "",
                "<nav class=\"contents\" aria-label=\"%1$s\">\n<h2>%1$s</h2>\n<ul>\n"
                    .formatted(title),
                "</ul>\n</nav>\n"));
  }

  private static String turning(Navigation navigation, String root, String source) {
    SiteWords words = SiteWords.of(source);
    List<Navigation.Entry> order = navigation.entries();
    List<String> links = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      if (i + 1 < order.size() && order.get(i + 1).source().equals(source)) {
        links.add(turn(root, order.get(i), "previous", words.previous()));
      }
      if (i > 0 && order.get(i - 1).source().equals(source)) {
        links.add(turn(root, order.get(i), "next", words.next()));
      }
    }
    return links.isEmpty()
        ? ""
        : "<nav class=\"turning\" aria-label=\"%s\">\n%s</nav>\n"
            .formatted(words.turning(), String.join("", links));
  }

  private static String turn(String root, Navigation.Entry entry, String kind, String word) {
    return "<a class=\"%s\" rel=\"%s\" href=\"%s\"><small>%s</small> %s</a>\n"
        .formatted(
            kind,
            kind.equals("previous") ? "prev" : kind,
            root + SitePath.of(entry.source()),
            word,
            escape(entry.label()));
  }

  private static String escape(String text) {
    Document document = new Document();
    document.appendChild(new Text(text));
    return HtmlRenderer.builder().build().render(document);
  }
}
