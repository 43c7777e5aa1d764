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
record Navigation(List<Group> groups) {
  static final String SOURCE = "docs/README.md";

  record Group(String name, List<Entry> entries) {}

  record Entry(String source, String label) {}

  static Navigation read(Sources sources) {
    String text =
        sources
            .text(SOURCE)
            .orElseThrow(() -> new IllegalStateException("The docs are not part of this build."));
    List<Group> groups = new ArrayList<>();
    String name = "";
    for (Node node = Markdown.parse(text).getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading) {
        name = PlainText.of(heading);
      } else if (node instanceof BulletList list) {
        groups.add(new Group(name, entries(list, sources)));
      }
    }
    return new Navigation(List.copyOf(groups));
  }

  /** All pages in order, for "previous" and "next". */
  List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    all.add(new Entry(SOURCE, "Overview"));
    groups.forEach(group -> all.addAll(group.entries()));
    return all;
  }

  private static List<Entry> entries(BulletList list, Sources sources) {
    List<Entry> entries = new ArrayList<>();
    for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
      link(item)
          .flatMap(
              link ->
                  SitePath.target(SOURCE, link.getDestination())
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
