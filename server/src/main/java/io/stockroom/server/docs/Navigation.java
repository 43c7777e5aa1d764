package io.stockroom.server.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.commonmark.node.BulletList;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * The order of the pages, read from {@code docs/README.md}, which is also the home page: each
 * heading is a group, and the first link of each list item is a page. Missing pages are skipped; a
 * test reports them.
 */
record Navigation(String source, List<Group> groups) {
  static final String SOURCE = "docs/README.md";

  /** The order of the Chinese pages; it names the English ones that are not translated, too. */
  static final String CHINESE_SOURCE = SiteWords.CHINESE_FOLDER + "README.md";

  record Group(String name, List<Entry> entries) {}

  record Entry(String source, String label) {}

  static Navigation read(Sources sources) {
    return read(sources, SOURCE);
  }

  static Navigation read(Sources sources, String source) {
    String text =
        sources
            .text(source)
            .orElseThrow(() -> new IllegalStateException("The docs are not part of this build."));
    List<Group> groups = new ArrayList<>();
    String name = "";
    for (Node node = Markdown.parse(text).getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading) {
        name = PlainText.of(heading);
      } else if (node instanceof BulletList list) {
        groups.add(new Group(name, entries(list, source, sources)));
      }
    }
    return new Navigation(source, List.copyOf(groups));
  }

  /** All pages in order, for "previous" and "next". */
  List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    all.add(new Entry(source, SiteWords.of(source).overview()));
    groups.forEach(group -> all.addAll(group.entries()));
    return all;
  }

  private static List<Entry> entries(BulletList list, String source, Sources sources) {
    List<Entry> entries = new ArrayList<>();
    for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
      link(item)
          .flatMap(
              link ->
                  SitePath.target(source, link.getDestination())
                      .filter(target -> sources.bytes(target).isPresent())
                      .map(target -> new Entry(target, PlainText.of(link))))
          .ifPresent(entries::add);
    }
    return List.copyOf(entries);
  }

  private static Optional<Link> link(Node item) {
    Node paragraph = item.getFirstChild();
    Node first = paragraph == null ? null : paragraph.getFirstChild();
    return first instanceof Link link ? Optional.of(link) : Optional.empty();
  }
}
