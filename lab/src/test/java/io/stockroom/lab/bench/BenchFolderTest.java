package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

final class BenchFolderTest {
  @TempDir Path temporary;

  @Test
  void rejectsAFolderWithOtherDataAndDoesNotChangeIt() throws Exception {
    Path file = Files.writeString(temporary.resolve("precious"), "x");

    assertThatThrownBy(() -> BenchFolder.take(temporary))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(temporary.toString())
        .hasMessageContaining("--data");
    assertThatThrownBy(() -> BenchFolder.take(file)).hasMessageContaining("is a file");
    try (var files = Files.list(temporary)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void acceptsAnEmptyFolderAndReopensItsOwn() throws Exception {
    try (BenchFolder folder = BenchFolder.take(temporary)) {
      folder.mark(JsonMapper.shared().createObjectNode().put("products", 7));
    }
    try (BenchFolder again = BenchFolder.take(temporary)) {
      assertThat(again.content().path("products").asInt()).isEqualTo(7);
      Files.createDirectories(again.data().resolve("postgres"));
      again.empty();
      assertThat(again.data()).doesNotExist();
      assertThat(again.content().has("products")).isFalse();
    }
  }

  @Test
  void createsAMissingFolderForItsOwnerAndDeletesItCompletely() throws Exception {
    Path path = temporary.resolve("a/b");
    try (BenchFolder folder = BenchFolder.take(path)) {
      assertThat(Files.getPosixFilePermissions(path)).hasSize(3);
      Files.createDirectories(folder.data().resolve("postgres"));
      folder.remove();
      assertThat(path).doesNotExist();
    }
  }

  @Test
  void recreatesTheDataAfterABrokenMarker() throws Exception {
    Files.writeString(temporary.resolve("stockroom-bench.json"), "{\"products\":");
    try (BenchFolder folder = BenchFolder.take(temporary)) {
      assertThat(folder.content().has("products")).isFalse();
    }
  }
}
