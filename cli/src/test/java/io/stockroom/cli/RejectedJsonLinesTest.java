package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.conformance.JudgedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Rejected rows of a JSON Lines file are returned as JSON Lines, in any number. */
class RejectedJsonLinesTest {
  @TempDir Path folder;

  @Test
  void savesEveryRejectedRowNextToTheFile() throws IOException {
    Program program = Program.operating(JudgedServer.running());
    int merchant =
        program
            .run("merchant", "create", "--name=M", "--store-url=m", "--store-name=M", "--json")
            .json()
            .path("merchantId")
            .asInt();
    for (int bad : new int[] {1, 150, 5_000}) {
      String lines =
          IntStream.range(0, bad)
              .mapToObj("{\"artNo\":\"B%d\",\"title\":\"Bad\",\"price\":-1}"::formatted)
              .collect(Collectors.joining("\n"));
      Path file = Files.writeString(folder.resolve("bad-" + bad + ".jsonl"), lines);

      Program.Run run =
          program.run("product", "import", "--merchant=" + merchant, file.toString(), "--json");

      JsonNode result = run.json();
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).doesNotContain("not a response of Stockroom");
      assertThat(result.path("state").asString()).isEqualTo("refused");
      assertThat(result.path("failed").asInt()).isEqualTo(bad);
      Path rejected = folder.resolve("bad-" + bad + ".rejected.jsonl");
      assertThat(result.path("rejectedFile").asString()).isEqualTo(rejected.toString());
      assertThat(Files.readAllLines(rejected)).hasSize(bad);
    }
  }
}
