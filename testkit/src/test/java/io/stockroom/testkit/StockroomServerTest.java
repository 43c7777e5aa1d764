package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.client.NoAnswerException;
import io.stockroom.client.StockroomClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StockroomServerTest {
  private static List<Path> folders() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> path.getFileName().toString().startsWith("stockroom-testkit-"))
          .toList();
    }
  }

  @Test
  void appliesTheSettingsAndLeavesNothingBehind() throws IOException {
    List<Path> before = folders();
    StockroomServer server = Snippets.strict();
    List<Path> during = folders();
    StockroomClient client = server.merchant("Acme").client();
    assertThat(client.products()).isEmpty();
    assertThat(client.usage().limit("detail-per-day").orElseThrow().limit()).isEqualTo(3);
    server.close();
    server.close();
    assertThat(during).hasSizeGreaterThan(before.size());
    assertThat(during).filteredOn(folder -> !before.contains(folder)).noneMatch(Files::exists);
    assertThatThrownBy(client::usage).isInstanceOf(NoAnswerException.class);
    client.close();
  }

  @Test
  void rejectsAnUnknownSettingAndLeavesNoFolder() throws IOException {
    List<Path> before = folders();
    assertThatThrownBy(() -> StockroomServer.start(Map.of("page-sise", "2")))
        .hasMessageContaining("page-size");
    assertThat(folders()).allMatch(folder -> before.contains(folder) || !Files.exists(folder));
  }
}
