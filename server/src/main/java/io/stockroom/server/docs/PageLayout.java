package io.stockroom.server.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.commonmark.node.Document;
import org.commonmark.node.Text;
import org.commonmark.renderer.html.HtmlRenderer;

/** The frame of every page: head, navigation, table of contents, previous and next page. */
final class PageLayout {
  private static final int FEW = 2;

  private final String template;
  private final Navigation navigation;

  PageLayout(String template, Navigation navigation) {
    this.template = template;
    this.navigation = navigation;
  }

  String page(Page page) {
    String root = SitePath.root(page.path());
    return fill(
        root,
        page.source().equals(Navigation.SOURCE) ? "Stockroom docs" : page.title() + " · Stockroom",
        pages(root, page.source()),
        page.html(),
        contents(page),
        turning(root, page.source()));
  }

  /** The "not found" page; {@code root} is the relative path to the site's root. */
  String missing(String root) {
    String html =
        """
        <h1>Page not found</h1>
        <p>It may have moved. Search for it, or start at the <a href="%sindex.html">overview</a>.</p>
        """
            .formatted(root);
    return fill(root, "Page not found · Stockroom", pages(root, ""), html, "", "");
  }

  private String fill(
      String root, String title, String list, String content, String contents, String turning) {
    Map<String, String> values =
        Map.of(
            "root", root,
            "title", escape(title),
            "pages", list,
            "content", content,
            "contents", contents,
            "turning", turning);
    StringBuilder filled = new StringBuilder();
    String[] pieces = template.split("\\{\\{|\\}\\}", -1);
    for (int i = 0; i < pieces.length; i++) {
      filled.append(i % 2 == 0 ? pieces[i] : values.get(pieces[i]));
    }
    return filled.toString();
  }

  private String pages(String root, String current) {
    return navigation.groups().stream()
        .map(group -> "<h2>%s</h2>\n%s".formatted(escape(group.name()), list(root, group, current)))
        .collect(Collectors.joining());
  }

  private String list(String root, Navigation.Group group, String current) {
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
                "<nav class=\"contents\" aria-label=\"On this page\">\n<h2>On this page</h2>\n<ul>\n",
                "</ul>\n</nav>\n"));
  }

  private String turning(String root, String source) {
    List<Navigation.Entry> order = navigation.entries();
    List<String> links = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      if (i + 1 < order.size() && order.get(i + 1).source().equals(source)) {
        links.add(turn(root, order.get(i), "previous", "Previous"));
      }
      if (i > 0 && order.get(i - 1).source().equals(source)) {
        links.add(turn(root, order.get(i), "next", "Next"));
      }
    }
    return links.isEmpty()
        ? ""
        : "<nav class=\"turning\" aria-label=\"Previous and next\">\n%s</nav>\n"
            .formatted(String.join("", links));
  }

  private String turn(String root, Navigation.Entry entry, String kind, String word) {
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
