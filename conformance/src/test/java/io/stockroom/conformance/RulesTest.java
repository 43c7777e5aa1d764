package io.stockroom.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulesTest {
  @Test
  void everyRuleHasAUniqueIdInAGroup() {
    assertThat(Suite.rules()).extracting(Rule::id).doesNotHaveDuplicates();
    assertThat(Suite.rules())
        .extracting(Rule::id)
        .allMatch(id -> id.matches("[a-z]+\\.[a-z0-9-]+"));
  }

  @Test
  void theDocumentationListsEveryRule() throws IOException {
    List<String> rows =
        Suite.rules().stream()
            .map(r -> "| `%s` | %s | %s |".formatted(r.id(), r.basis().word(), r.sentence()))
            .toList();

    String page = Files.readString(Path.of("../docs/conformance.md"));
    List<String> documented =
        page.lines().filter(line -> line.matches("\\| `[a-z]+\\.[^`]*` \\|.*")).toList();

    assertThat(documented).as("docs/conformance.md").containsExactlyElementsOf(rows);
    assertThat(page.split("against %d rules".formatted(rows.size()), -1))
        .as("the number is said twice")
        .hasSize(3);
  }
}
