package io.stockroom.server.docs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableBody;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/**
 * Renders one file as a page. Headings get the same anchors as on code hosts, so links work in both
 * places; table rows that start with a name, such as an error code, get an anchor as well.
 */
final class Markdown {
  private static final List<TablesExtension> EXTENSIONS = List.of(tables());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final Pattern CHINESE_END = Pattern.compile("[\\p{IsHan}，。、；：？！（）“”…]$");
  private static final Pattern CHINESE_BEGINNING = Pattern.compile("^[\\p{IsHan}，。、；：？！（）“”…]");
  private static final String NAME = "[A-Za-z][A-Za-z0-9_.-]{2,}";

  private final String source;
  private final Predicate<String> exists;
  private final List<String> given;
  private final IdentityHashMap<Node, String> anchors = new IdentityHashMap<>();
  private final Set<String> leadsTo = new LinkedHashSet<>();
  private final List<String> links = new ArrayList<>();

  private Markdown(String source, Predicate<String> exists, List<String> given) {
    this.source = source;
    this.exists = exists;
    this.given = given;
  }

  private static TablesExtension tables() {
    return (TablesExtension) TablesExtension.create();
  }

  static Node parse(String text) {
    return PARSER.parse(text);
  }

  /** The page of {@code source}; {@code exists} says which repository files exist. */
  static Page page(String source, String text, Predicate<String> exists) {
    return page(source, text, exists, List.of());
  }

  /**
   * Like {@link #page(String, String, Predicate)}; the headings of a translation get the anchors of
   * the original, so that links work in both languages.
   *
   * @param given the anchors of the original's headings, in order; empty if this is no translation
   */
  static Page page(String source, String text, Predicate<String> exists, List<String> given) {
    return new Markdown(source, exists, given).draw(parse(text));
  }

  private Page draw(Node document) {
    dropMarkup(document);
    if (SiteWords.isChinese(source)) {
      joinLines(document);
    }
    List<Page.Section> sections = sections(document);
    nameRows(document);
    lead(document);
    decorate(document);
    String path = SitePath.of(source);
    String title = sections.getFirst().heading();
    Set<String> named = new HashSet<>(anchors.values());
    return new Page(source, path, title, render(document), sections, named, leadsTo, links);
  }

  /** Drops raw HTML, which is used only for comments. */
  private static void dropMarkup(Node document) {
    List<Node> markup = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(HtmlBlock block) {
            markup.add(block);
          }

          @Override
          public void visit(HtmlInline inline) {
            markup.add(inline);
          }
        });
    markup.forEach(Node::unlink);
  }

  /** Chinese has no spaces between words, so the end of a line in a file is none. */
  private static void joinLines(Node document) {
    List<Node> breaks = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(SoftLineBreak lineBreak) {
            boolean before =
                lineBreak.getPrevious() instanceof Text text
                    && CHINESE_END.matcher(text.getLiteral()).find();
            boolean after =
                lineBreak.getNext() instanceof Text text
                    && CHINESE_BEGINNING.matcher(text.getLiteral()).find();
            if (before || after) {
              breaks.add(lineBreak);
            }
          }
        });
    breaks.forEach(Node::unlink);
  }

  private List<Page.Section> sections(Node document) {
    IdGenerator generator = IdGenerator.builder().build();
    List<Page.Section> sections = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    Heading current = null;
    int number = 0;
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading) {
        close(current, text, sections);
        current = heading;
        anchors.put(
            heading,
            number < given.size()
                ? given.get(number)
                : generator.generateId(PlainText.of(heading)));
        number++;
      } else {
        text.append(PlainText.of(node)).append(' ');
      }
    }
    close(current, text, sections);
    if (sections.isEmpty()) {
      throw new IllegalStateException(source + " has no title: begin it with '# '.");
    }
    return List.copyOf(sections);
  }

  private void close(@Nullable Node heading, StringBuilder text, List<Page.Section> sections) {
    if (heading instanceof Heading known) {
      String anchor = String.valueOf(anchors.get(known));
      sections.add(
          new Page.Section(known.getLevel(), anchor, PlainText.of(known), text.toString().strip()));
    }
    text.setLength(0);
  }

  private void nameRows(Node document) {
    Set<String> used = new HashSet<>(anchors.values());
    visitRows(
        document,
        row -> {
          Node cell = row.getFirstChild();
          Node first = cell == null ? null : cell.getFirstChild();
          if (first instanceof Code code
              && first.getNext() == null
              && code.getLiteral().matches(NAME)
              && used.add(code.getLiteral())) {
            anchors.put(row, code.getLiteral());
          }
        });
  }

  private static void visitRows(Node node, Consumer<TableRow> rows) {
    for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
      if (child instanceof TableRow row && node instanceof TableBody) {
        rows.accept(row);
      }
      visitRows(child, rows);
    }
  }

  /** Rewrites links and images between files to links between pages. */
  private void lead(Node document) {
    List<Link> outside = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            links.add(link.getDestination());
            if (!leads(link)) {
              outside.add(link);
            }
            visitChildren(link);
          }

          @Override
          public void visit(Image image) {
            links.add(image.getDestination());
            SitePath.target(source, image.getDestination())
                .ifPresent(
                    target -> {
                      leadsTo.add(target);
                      image.setDestination(there(target));
                    });
          }
        });
    outside.forEach(Markdown::unwrap);
  }

  /** Whether a link leads to a page or another host; otherwise only its text remains. */
  private boolean leads(Link link) {
    String destination = link.getDestination();
    if (destination.matches("https?://.*") || destination.startsWith("#")) {
      return true;
    }
    String target = SitePath.target(source, destination).map(this::page).orElse("");
    if (!target.endsWith(".md") || !exists.test(target)) {
      return false;
    }
    leadsTo.add(target);
    link.setDestination(there(target) + SitePath.fragment(destination));
    return true;
  }

  /** A link to a folder refers to its README. */
  private String page(String target) {
    return exists.test(target + "/README.md") ? target + "/README.md" : target;
  }

  private String there(String target) {
    return SitePath.relative(SitePath.of(source), SitePath.of(target));
  }

  private static void unwrap(Link link) {
    for (Node child = link.getFirstChild(); child != null; child = link.getFirstChild()) {
      link.insertBefore(child);
    }
    link.unlink();
  }

  /** Adds an anchor link to each heading, and a scrollable frame around each table. */
  private void decorate(Node document) {
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading && heading.getLevel() > 1) {
        Link link = new Link("#" + anchors.get(heading), null);
        link.appendChild(new Text("#"));
        heading.appendChild(new Text(" "));
        heading.appendChild(link);
      } else if (node instanceof TableBlock) {
        node.insertBefore(
            html(
                "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">"
                    .formatted(SiteWords.of(source).table())));
        Node end = html("</div>");
        node.insertAfter(end);
        node = end;
      }
    }
  }

  private static Node html(String literal) {
    HtmlBlock block = new HtmlBlock();
    block.setLiteral(literal);
    return block;
  }

  private String render(Node document) {
    return HtmlRenderer.builder()
        .extensions(EXTENSIONS)
        .attributeProviderFactory(
            _ ->
                (node, tag, attributes) -> {
                  String anchor = anchors.get(node);
                  if (anchor != null) {
                    attributes.put("id", anchor);
                  }
                  if (tag.equals("pre")) {
                    attributes.put("tabindex", "0");
                  }
                  if (tag.equals("a") && node.getParent() instanceof Heading heading) {
                    attributes.put("class", "here");
                    attributes.put(
                        "aria-label",
                        SiteWords.of(source).linkTo() + PlainText.of(heading).replace(" #", ""));
                  }
                  if (tag.equals("img")) {
                    attributes.put("loading", "lazy");
                  }
                })
        .build()
        .render(document);
  }
}
