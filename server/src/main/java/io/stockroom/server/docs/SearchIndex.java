package io.stockroom.server.docs;

import java.util.Collection;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * The search index, as a script that sets one value: a page opened from the file system may load a
 * script but not fetch a file.
 */
final class SearchIndex {
  private static final JsonMapper JSON = new JsonMapper();

  private SearchIndex() {}

  static String script(Collection<Page> pages) {
    ArrayNode index = JSON.createArrayNode();
    for (Page page : pages) {
      for (Page.Section section : page.sections()) {
        String anchor = section.level() == 1 ? "" : "#" + section.anchor();
        index
            .addObject()
            .put("at", page.path() + anchor)
            .put("page", page.title())
            .put("heading", section.level() == 1 ? "" : section.heading())
            .put("text", section.text());
      }
    }
    return "window.stockroomIndex = " + JSON.writeValueAsString(index) + ";\n";
  }
}
