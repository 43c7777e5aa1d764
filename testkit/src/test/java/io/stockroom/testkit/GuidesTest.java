package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.Credentials;
import io.stockroom.client.StockroomClient;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.SizeItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every program of docs/guides, in the order of the guides, for one merchant. */
class GuidesTest {
  private static final Path GUIDES = Path.of("..", "docs", "guides");
  private static final Pattern PROGRAM =
      Pattern.compile("```(?:python|js)\\n(?:#|//) file: (\\S+)\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern TABLE = Pattern.compile("```text\\n(artNo,.*?)```", Pattern.DOTALL);

  private static final List<String> ORDER =
      List.of(
          "erp-sync",
          "retries",
          "from-a-spreadsheet",
          "from-a-shop-system",
          "versioning",
          "going-live");

  private static final Map<String, List<String>> ARGUMENTS =
      Map.of(
          "live.py", List.of("--once"),
          "table.py", List.of("table.csv"),
          "shop.mjs", List.of("sell", "4712", "T1"));

  @TempDir Path folder;

  @Test
  void theProgramsOfTheGuidesWork() throws Exception {
    StockroomServer server = SharedServer.get();
    TestMerchant merchant = server.merchant("Acme");
    merchant.addProducts(2);
    Credentials credentials = merchant.credentials();
    Path packages = Files.createDirectories(folder.resolve("node_modules/@stockroom"));
    Files.createSymbolicLink(packages.resolve("client"), TypeScriptClient.build());
    Map<String, String> variables =
        Map.of(
            "STOCKROOM_SERVER", server.address(),
            "STOCKROOM_APPID", credentials.appid(),
            "STOCKROOM_SECRET", credentials.secret(),
            "STOCKROOM_TOKEN", credentials.accesstoken(),
            "PYTHONDONTWRITEBYTECODE", "1",
            "PYTHONPATH",
                Path.of("..", "clients", "python", "src").toAbsolutePath().normalize().toString());
    Map<String, String> said = new HashMap<>();
    for (String guide : ORDER) {
      for (String file : programs(guide)) {
        if (file.equals("nightly.py")) {
          changeMoreThanAPage(merchant);
        }
        List<String> command = new ArrayList<>();
        command.add(file.endsWith(".py") ? "python3" : "node");
        command.add(file);
        command.addAll(ARGUMENTS.getOrDefault(file, List.of()));
        said.put(file, Commands.run(folder, command, variables));
      }
    }

    assertThat(said.get("products.py")).contains("T1 ", "T2 ");
    assertThat(said.get("push.py")).contains("2 color groups sent");
    assertThat(said.get("sell.py")).contains("left: 18");
    assertThat(said.get("live.py")).contains("(3, 41)");
    assertThat(said.get("nightly.py")).contains("equal: 303 entries");
    assertThat(said.get("retry.py")).startsWith("151\n");
    assertThat(said.get("table.py")).contains("2 color groups sent");
    assertThat(said.get("shop.mjs")).contains("[ 19 ]");
    assertThat(said.get("unknown.py")).startsWith("PRODUCT_MISSING 200 Read the product list");
    assertThat(said.get("ready.py")).contains("ok ").doesNotContain("FAIL");
  }

  /** 300 new products with an entry each are 600 changes, and a page has 200. */
  private static void changeMoreThanAPage(TestMerchant merchant) {
    List<ColorGroup> groups =
        merchant.addProducts(300).stream()
            .map(pid -> new ColorGroup("red", pid, List.of(SizeItem.of("36", 1))))
            .toList();
    try (StockroomClient client = merchant.client()) {
      client.createStock(groups);
    }
  }

  /** Writes the programs of a guide, and its table, into the folder. */
  private List<String> programs(String guide) throws IOException {
    String text = Files.readString(GUIDES.resolve(guide + ".md"));
    Matcher table = TABLE.matcher(text);
    if (table.find()) {
      Files.writeString(folder.resolve("table.csv"), Objects.requireNonNull(table.group(1)));
    }
    List<String> names = new ArrayList<>();
    Matcher program = PROGRAM.matcher(text);
    while (program.find()) {
      names.add(program.group(1));
      Files.writeString(folder.resolve(program.group(1)), program.group(2));
    }
    assertThat(names).as(guide).isNotEmpty();
    return names;
  }
}
