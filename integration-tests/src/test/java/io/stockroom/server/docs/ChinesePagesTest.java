package io.stockroom.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chinese pages say what their English originals say. */
class ChinesePagesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Site SITE =
      new Site(Sources.folder(Path.of("..").toAbsolutePath().normalize()));
  private static final Pattern HAN = Pattern.compile("\\p{IsHan}");

  /** What a translation must share with its original: headings, table rows and code. */
  private record Shape(List<Integer> headings, int rows, List<String> code) {
    static Shape of(Path file) {
      List<Integer> headings = new ArrayList<>();
      List<Node> rows = new ArrayList<>();
      List<String> code = new ArrayList<>();
      Markdown.parse(read(file))
          .accept(
              new AbstractVisitor() {
                @Override
                public void visit(Heading heading) {
                  headings.add(heading.getLevel());
                }

                @Override
                public void visit(FencedCodeBlock block) {
                  code.add(block.getInfo() + "\n" + block.getLiteral());
                }

                @Override
                public void visit(CustomNode node) {
                  if (node instanceof TableRow) {
                    rows.add(node);
                  }
                  visitChildren(node);
                }
              });
      return new Shape(headings, rows.size(), code);
    }
  }

  static Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(DOCS.resolve("zh"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("README.md"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void hasTheHeadingsRowsAndCodeOfItsOriginal(String name) {
    assertThat(Shape.of(DOCS.resolve("zh").resolve(name)))
        .as("docs/zh/%1$s must follow docs/%1$s: translate what changed there", name)
        .isEqualTo(Shape.of(DOCS.resolve(name)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void hasTheAnchorsOfItsOriginalAndALinkToIt(String name) {
    String html = text("zh/" + name.replace(".md", ".html"));
    Page chinese = page("docs/zh/" + name);

    assertThat(chinese.anchors()).containsAll(page("docs/" + name).anchors());
    assertThat(chinese.sections())
        .allSatisfy(section -> assertThat(section.anchor()).doesNotContainPattern(HAN));
    assertThat(html)
        .contains("<html lang=\"zh-CN\">", "hreflang=\"en\">English</a>")
        .contains("href=\"../%s\" lang=\"en\"".formatted(name.replace(".md", ".html")))
        .doesNotContain("On this page", "aria-label=\"Table\"", "Link to ");
    assertThat(text(name.replace(".md", ".html")))
        .contains("href=\"zh/%s\" lang=\"zh-CN\"".formatted(name.replace(".md", ".html")));
  }

  /** Sentences are Chinese: an English one would be a part that nobody translated. */
  @ParameterizedTest
  @MethodSource("names")
  void hasNoEnglishSentences(String name) {
    String prose =
        read(DOCS.resolve("zh").resolve(name))
            .replaceAll("(?s)```.*?\n```", "")
            .replaceAll("`[^`\n]*`", "");
    List<String> english =
        Pattern.compile("[A-Za-z]+(?:[ ,]+[A-Za-z]+){5,}")
            .matcher(prose)
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(english).isEmpty();
  }

  @Test
  void theEndOfALineIsNoSpace() {
    Page page = Markdown.page("docs/zh/x.md", "# 标题\n\n第一行，\n第二行\n`code`\nA\nB\n", _ -> false);

    assertThat(page.html()).contains("<p>第一行，第二行<code>code</code>\nA\nB</p>");
  }

  @Test
  void aPageWithoutTranslationLeadsToTheChineseOverview() {
    assertThat(text("operators/settings.html"))
        .contains("href=\"../zh/index.html\" lang=\"zh-CN\"");
    assertThat(text("zh/index.html")).contains("控制台", "（英文）", "href=\"../api.html\"");
  }

  private static Page page(String source) {
    return SITE.pages().stream().filter(p -> p.source().equals(source)).findFirst().orElseThrow();
  }

  private static String text(String path) {
    return new String(SITE.file(path).orElseThrow(), StandardCharsets.UTF_8);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
