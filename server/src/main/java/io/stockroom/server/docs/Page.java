package io.stockroom.server.docs;

import java.util.List;
import java.util.Set;

/**
 * One rendered page.
 *
 * @param source its file in the repository
 * @param path its path in the site
 * @param html its content, without the frame
 * @param sections the page split at its headings; the first is the text below the title
 * @param anchors every anchor in it
 * @param leadsTo the repository files that it links to or shows
 * @param links every link as written, for checks
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
   * The text below one heading.
   *
   * @param level 1 for the title, 2 for its sections, and so on
   * @param text its plain text, for the search
   */
  record Section(int level, String anchor, String heading, String text) {}
}
