package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocsCommandTest {
  @TempDir Path folder;

  @Test
  void writesTheDocsIntoANewFolder() {
    Path site = folder.resolve("site");

    Program.Run run = Program.plain().run("docs", "--out", site.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("files in " + site, site.resolve("index.html").toString());
    assertThat(site.resolve("index.html")).content().contains("Stockroom docs");
    assertThat(site.resolve("interface/create-stock.html")).exists();
  }

  @Test
  void keepsANonEmptyFolderUnlessForced() throws IOException {
    Files.writeString(folder.resolve("mine.txt"), "mine");

    Program.Run run = Program.plain().run("docs", "--out", folder.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("not an empty folder", "--force");
    assertThat(folder.resolve("index.html")).doesNotExist();
    assertThat(Program.plain().run("docs", "--force", "--out", folder.toString()).exitCode())
        .isZero();
    assertThat(folder.resolve("mine.txt")).hasContent("mine");
  }

  @Test
  void refusesAFile() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThat(Program.plain().run("docs", "--out", file.toString()).err())
        .contains("not an empty folder");
  }
}
