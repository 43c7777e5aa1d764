package io.stockroom.server.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The docs site. It consists of the pages in the navigation and all pages that they link to. */
public final class Site {
  private static final List<String> ASSETS = List.of("site.css", "site.js");

  private final Map<String, Page> pages = new LinkedHashMap<>();
  private final Map<String, byte[]> files = new TreeMap<>();
  private final PageLayout layout;

  public Site(Sources sources) {
    Navigation navigation = Navigation.read(sources);
    Navigation chinese = Navigation.read(sources, Navigation.CHINESE_SOURCE);
    Deque<String> waiting = new ArrayDeque<>();
    // the originals first: their translations take over the anchors
    navigation.entries().forEach(entry -> waiting.add(entry.source()));
    chinese.entries().forEach(entry -> waiting.add(entry.source()));
    while (!waiting.isEmpty()) {
      String source = waiting.remove();
      if (source.endsWith(".md")) {
        if (!pages.containsKey(source)) {
          waiting.addAll(add(sources, source).leadsTo());
        }
      } else {
        sources.bytes(source).ifPresent(bytes -> files.put(SitePath.of(source), bytes));
      }
    }
    layout = new PageLayout(asset("page.html"), navigation, chinese, pages.keySet());
    pages.values().forEach(page -> put(page.path(), layout.page(page)));
    put("search-index.js", SearchIndex.script(pages.values()));
    ASSETS.forEach(name -> put(name, asset(name)));
  }

  private Page add(Sources sources, String source) {
    String text =
        sources
            .text(source)
            .orElseThrow(() -> new IllegalStateException(source + " is not part of the docs."));
    Page page =
        Markdown.page(
            source, text, path -> sources.bytes(path).isPresent(), anchorsOfOriginal(source));
    pages.put(source, page);
    return page;
  }

  private List<String> anchorsOfOriginal(String source) {
    Page original = SiteWords.isChinese(source) ? pages.get(SiteWords.counterpart(source)) : null;
    return original == null
        ? List.of()
        : original.sections().stream().map(Page.Section::anchor).toList();
  }

  private void put(String path, String text) {
    files.put(path, text.getBytes(StandardCharsets.UTF_8));
  }

  /** One file of the site, such as {@code operators/settings.html}. */
  Optional<byte[]> file(String path) {
    return Optional.ofNullable(files.get(path));
  }

  /** The "not found" page; {@code root} is the relative path to the site's root. */
  byte[] missing(String root) {
    return layout.missing(root).getBytes(StandardCharsets.UTF_8);
  }

  Collection<Page> pages() {
    return pages.values();
  }

  /** Writes every file below {@code folder}; returns how many there are. */
  public int writeTo(Path folder) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path target = folder.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(target.getParent()));
      Files.write(target, file.getValue());
    }
    return files.size();
  }

  private static String asset(String name) {
    try (InputStream stream =
        Objects.requireNonNull(Site.class.getResourceAsStream("/site/" + name), name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
