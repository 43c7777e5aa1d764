package io.stockroom.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private static final Site SITE = new Site(Sources.folder(REPOSITORY));

  @Test
  void everyLinkHasAnExistingTarget() throws IOException {
    Map<String, Page> pages =
        SITE.pages().stream().collect(Collectors.toMap(Page::source, Function.identity()));
    for (String beside : List.of("README.md", "packaging/README.md")) {
      String text = Files.readString(REPOSITORY.resolve(beside));
      pages.put(
          beside,
          Markdown.page(beside, text, path -> Files.isRegularFile(REPOSITORY.resolve(path))));
    }
    List<String> broken = new ArrayList<>();
    for (Page page : pages.values()) {
      for (String link : page.links()) {
        boolean ours = !link.matches("https?://.*");
        if (ours && !leads(page, link, pages)) {
          broken.add(page.source() + " → " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(pages).containsKeys("ARCHITECTURE.md", "docs/decisions/README.md");
  }

  @Test
  void detectsABrokenLinkOrAnchor() {
    Page page =
        Markdown.page("docs/x.md", "# X\n\n## A b\n\n[a](#a-b) [b](#b) [c](no.md)", _ -> false);

    assertThat(page.links().stream().filter(link -> leads(page, link, Map.of("docs/x.md", page))))
        .containsExactly("#a-b");
  }

  private static boolean leads(Page page, String link, Map<String, Page> pages) {
    Optional<String> target = SitePath.target(page.source(), link);
    if (target.isEmpty()
        || (!Files.exists(REPOSITORY.resolve(target.get())) && !pages.containsKey(target.get()))) {
      return false;
    }
    String fragment = SitePath.fragment(link);
    Page there = pages.get(target.get());
    return fragment.isEmpty() || (there != null && there.anchors().contains(fragment.substring(1)));
  }

  @Test
  void everyFileOfTheDocsIsInTheSite() throws IOException {
    try (Stream<Path> files = Files.walk(REPOSITORY.resolve("docs"))) {
      List<String> written =
          files
              .map(file -> REPOSITORY.relativize(file).toString())
              .filter(file -> file.endsWith(".md"))
              .toList();
      assertThat(SITE.pages().stream().map(Page::source)).containsAll(written);
    }
  }

  @Test
  void everyPageInTheNavigationExists() throws IOException {
    String first = Files.readString(REPOSITORY.resolve(Navigation.SOURCE));
    long named = first.lines().filter(line -> line.startsWith("- [")).count();
    Navigation navigation = Navigation.read(Sources.folder(REPOSITORY));

    // the overview is not in its own list
    assertThat(navigation.entries()).hasSize((int) named + 1).doesNotHaveDuplicates();
  }

  @Test
  void everyPictureExists() {
    assertThat(
            SITE.pages().stream()
                .flatMap(page -> page.leadsTo().stream())
                .filter(source -> !source.endsWith(".md")))
        .isNotEmpty()
        .allSatisfy(source -> assertThat(SITE.file(SitePath.of(source))).as(source).isPresent());
  }

  @Test
  void hasNoExternalContentAndNoInlineScripts() {
    for (Page page : SITE.pages()) {
      String html = text(page.path());
      assertThat(html)
          .as(page.source())
          .doesNotContainPattern("(src|srcset)=\"(https?:)?//")
          .doesNotContainPattern("<link[^>]*href=\"(https?:)?//")
          .doesNotContainPattern("<script(?![^>]* src=)")
          .doesNotContain("<style", " style=", "{{");
    }
  }

  @Test
  void linksPreviousAndNextPages() {
    assertThat(text("quick-start.html"))
        .contains("rel=\"prev\" href=\"index.html\"")
        .contains("rel=\"next\" href=\"merchants.html\"")
        .contains("<a href=\"quick-start.html\" aria-current=\"page\">");
    assertThat(text("interface/usage.html"))
        .contains("<link rel=\"stylesheet\" href=\"../site.css\">")
        .contains("rel=\"next\" href=\"../changes.html\"")
        .contains("<a href=\"../operators/settings.html\">settings</a>");
  }

  @Test
  void headingsAndRowsHaveAnchors() {
    Page page =
        Markdown.page(
            "docs/x.md",
            "# X\n\n## The life: of *tokens*\n\n| Code |\n|---|\n| `NOT_FOUND` |\n| `a` b |\n",
            _ -> false);

    assertThat(page.anchors()).containsExactlyInAnyOrder("x", "the-life-of-tokens", "NOT_FOUND");
    assertThat(page.html()).contains("<tr id=\"NOT_FOUND\">", "<h2 id=\"the-life-of-tokens\">");
  }

  @Test
  void dropsRawHtml() {
    Page page =
        Markdown.page("docs/x.md", "# X\n\n<!-- note -->\n\na <b>b</b>\n\n<p>c</p>\n", _ -> false);

    assertThat(page.html()).doesNotContain("note", "<b>", "<p>c").contains("<p>a b</p>");
  }

  @Test
  void keepsTheTextOfALinkThatLeavesTheSite() {
    Page page =
        Markdown.page("docs/x.md", "# X\n\n[api](../client/api.txt)\n", "client/api.txt"::equals);

    assertThat(page.html()).contains("<p>api</p>");
  }

  @Test
  void findsASectionByItsWords() {
    assertThat(text("search-index.js"))
        .startsWith("window.stockroomIndex = [")
        .contains("\"at\":\"interface/create-stock.html#sending-a-create-again\"")
        .contains("\"page\":\"Create stock\",\"heading\":\"Sending a create again\"");
  }

  @Test
  void writesItselfIntoAFolder(@TempDir Path folder) throws IOException {
    int files = SITE.writeTo(folder);

    try (Stream<Path> written = Files.walk(folder)) {
      assertThat(written.filter(Files::isRegularFile)).hasSize(files);
    }
    assertThat(folder.resolve("operators/settings.html")).content().contains("drain-time");
    assertThat(folder.resolve("index.html")).exists();
  }

  private static String text(String path) {
    return new String(SITE.file(path).orElseThrow(), StandardCharsets.UTF_8);
  }
}
