package io.stockroom.server.docs;

import java.util.List;
import java.util.Set;

/**
 * One page, drawn.
 *
 * @param source its file in the repository
 * @param path its place in the site
 * @param html its content, without what stands around it
 * @param sections the page cut at its headings; the first is what stands below the title
 * @param anchors every place in it that a link can name
 * @param leadsTo the files of the repository that it links to or shows
 * @param links every link as it is written, for those who check them
 */
record Page(
    String source,
    String path,
    String title,
    String html,
    List<Section> sections,
    Set<String> anchors,
    Set<String> leadsTo,
    List<String> links) {

  /**
   * What stands below one heading.
   *
   * @param level 1 for the title, 2 for its sections, and so on
   * @param text all words of it, for the search
   */
  record Section(int level, String anchor, String heading, String text) {}
}
