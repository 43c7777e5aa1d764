package io.stockroom.core.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is said about moves has its text in both languages. */
class MoveTextTest {
  private static final List<String> OF_CELLS =
      List.of(
          "core/src/main/java/io/stockroom/core/merchants/CellDirectory.java",
          "core/src/main/java/io/stockroom/core/database/DatabaseAddress.java",
          "core/src/main/java/io/stockroom/core/database/Migrations.java",
          "core/src/main/java/io/stockroom/core/database/Schema.java",
          "server/src/main/java/io/stockroom/server/admin/ServerRoutes.java");

  private static final String PACKAGE = "io/stockroom/core/moves/";

  @Test
  void translatesOurOwnTextsWithTheirValues() {
    assertThat(
            MoveText.of(
                    "in the cell east, the role own needs REPLICATION: ALTER ROLE own REPLICATION.")
                .text(Language.CHINESE))
        .isEqualTo("分区 east 中的角色 own 需要 REPLICATION 权限：ALTER ROLE own REPLICATION。");
    assertThat(MoveText.of("the new cell catches up").text(Language.CHINESE)).isEqualTo("新分区正在追赶");
    assertThat(MoveText.of("the new cell catches up").text(Language.ENGLISH))
        .isEqualTo("the new cell catches up");
    assertThat(
            MoveText.of("gave up after 20 attempts. The last one: the cells differ in audit")
                .text(Language.CHINESE))
        .isEqualTo("尝试 20 次后已放弃。最后一次：两个分区的数据不一致：audit");
    assertThat(MoveText.of("FATAL: no such database").text(Language.CHINESE))
        .isEqualTo("FATAL: no such database");
    assertThat(MoveText.of("").text(Language.CHINESE)).isEmpty();
  }

  @Test
  void knowsTheTextsOfThePackage() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.list(Path.of("src/main/java/" + PACKAGE))) {
      for (Path file : files.toList()) {
        sources.append(Files.readString(file).replaceAll("%(\\d\\$)?[sd]", "{}"));
      }
    }
    for (String file : OF_CELLS) {
      sources.append(
          Files.readString(Path.of("../" + file))
              .replaceAll("\"\\s*\\+ \"", "")
              .replaceAll("\" \\+ [a-zA-Z.()]+ \\+ \"", "{}")
              .replaceAll("\" \\+ [a-zA-Z.()]+", "{}")
              .replaceAll("the %s", "the cell {}")
              .replaceAll("%(\\d\\$)?[sd]", "{}"));
    }
    Properties english = texts("en");
    assertThat(texts("zh").stringPropertyNames()).isEqualTo(english.stringPropertyNames());
    assertThat(english.values())
        .allSatisfy(
            text -> assertThat(sources).contains(text.toString().replaceAll("\\{\\d}", "{}")));
  }

  private static Properties texts(String language) throws IOException {
    Properties texts = new Properties();
    try (Reader reader =
        Files.newBufferedReader(
            Path.of("src/main/resources/" + PACKAGE + "texts_" + language + ".properties"))) {
      texts.load(reader);
    }
    return texts;
  }
}
