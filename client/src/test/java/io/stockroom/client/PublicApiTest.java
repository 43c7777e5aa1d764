package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.stockroom.protocol.InvalidValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * api.txt lists the public API of the SDK, with the types of the contract that it names, so that it
 * never changes by accident: removing something breaks callers.
 */
class PublicApiTest {
  private static final Path ACCEPTED = Path.of("api.txt");
  private static final Path FOUND = Path.of("target", "api.txt");

  @Test
  void matchesTheAcceptedApi() throws IOException {
    List<String> found = api();
    List<String> accepted = Files.exists(ACCEPTED) ? Files.readAllLines(ACCEPTED) : List.of();
    if (found.equals(accepted)) {
      return;
    }
    Files.createDirectories(FOUND.getParent());
    Files.write(FOUND, found);
    fail(
        """
        The public API of the SDK has changed.
        Taken away (programs that use it break; deprecate it for a release first):
        %s
        Added (it has to be kept from now on):
        %s
        If you mean this: cp client/target/api.txt client/api.txt, commit it, and say it in CHANGELOG.md.
        """
            .formatted(difference(accepted, found), difference(found, accepted)));
  }

  /** The SDK, and the exception of its value types, which no signature names. */
  private static List<String> api() {
    return PublicApi.of(StockroomClient.class, InvalidValue.class);
  }

  @Test
  void listsExactlyWhatAProgramCanUse() {
    assertThat(api())
        .contains(
            "public final class io.stockroom.client.StockroomClient : java.lang.AutoCloseable")
        .contains("  stock(int) -> java.util.List<io.stockroom.client.StockEntry>")
        .contains("public final record io.stockroom.protocol.ColorGroup : java.lang.Record")
        .noneMatch(line -> line.contains("Transport"))
        .noneMatch(line -> line.contains("io.stockroom.protocol.request."))
        .noneMatch(line -> line.contains("io.stockroom.protocol.check."));
  }

  /** Lines of {@code one} that are not in {@code other}, each with the type it belongs to. */
  private static String difference(List<String> one, List<String> other) {
    List<String> known = qualified(other);
    return qualified(one).stream()
        .filter(line -> !known.contains(line))
        .map(line -> "  " + line)
        .collect(Collectors.joining("\n"));
  }

  private static List<String> qualified(List<String> lines) {
    List<String> qualified = new ArrayList<>();
    String type = "";
    for (String line : lines) {
      if (line.startsWith("  ")) {
        qualified.add(type + " |" + line);
      } else {
        type = line;
        qualified.add(line);
      }
    }
    return qualified;
  }
}
