package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class MerchantImportTest {
  private static final String HEADER =
      "name,storeUrl,storeName,application,boundStore,scopes,expires\n";

  private static Stockroom server;

  @TempDir Path folder;

  @BeforeAll
  static void start(@TempDir Path data) {
    server = Stockroom.start(data, Settings.with(Map.of("port", "0")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void plansThenCreatesEachRowOnceAndCanRunAgain() throws IOException {
    Path file =
        file(
            "义乌鞋业,yiwu,Yiwu Shoes,ERP,Shop 7,stock:read stock:write,P90D\n"
                + "Hangzhou,hz,Hangzhou Bags,ERP,,,\n"
                + "Ningbo,nb,Ningbo Toys\n");

    Program.Run plan = run(file);
    assertThat(plan.exitCode()).as(plan.err()).isZero();
    assertThat(plan.out())
        .isEqualTo(
            """
            LINE  STORE URL  MERCHANT  APPLICATION  TOKEN
               2  yiwu       new       new          new
               3  hz         new       new          new
               4  nb         new       -            -
            Nothing was created. Create what is new with: --apply --credentials FILE
            """);
    assertThat(merchants()).isEmpty();

    Path credentials = folder.resolve("credentials.csv");
    Program.Run applied = run(file, "--apply", "--credentials", "" + credentials, "--json");
    assertThat(applied.exitCode()).as(applied.err()).isZero();
    assertThat(applied.json().path("applied").asBoolean()).isTrue();
    assertThat(merchants()).containsExactlyInAnyOrder("义乌鞋业", "Hangzhou", "Ningbo");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(credentials)))
        .isEqualTo("rw-------");
    List<String> lines = Files.readAllLines(credentials);
    assertThat(lines).hasSize(4);
    String[] first = lines.get(2).split(",");
    Program caller =
        Program.plain()
            .with("STOCKROOM_SERVER", server.baseUrl())
            .with("STOCKROOM_APPID", first[3])
            .with("STOCKROOM_SECRET", first[4])
            .with("STOCKROOM_TOKEN", first[5]);
    Program.Run call = caller.run("call", "/Usage", "--json");
    assertThat(call.err() + call.out()).contains("\"success\":true");
    JsonNode token =
        Program.operating(server).run("token", "list", "--json").json().at("/tokens/0");
    assertThat(token.toString()).contains("stock:read");

    Program.Run again = run(file);
    assertThat(again.out()).contains("2  yiwu       exists    exists       exists");
    Path more = folder.resolve("more.csv");
    Program.Run nothing = run(file, "--apply", "--credentials", "" + more);
    assertThat(nothing.exitCode()).isZero();
    assertThat(nothing.out()).contains("Everything exists already. Nothing was created.");
    assertThat(more).doesNotExist();
    assertThat(merchants()).hasSize(3);
    assertThat(run(file("New,new,New\n"), "--apply", "--credentials", "" + credentials).err())
        .contains("already exists");

    assertThat(run(file("Other,yiwu,Yiwu Shoes\n")).err())
        .contains("line 2: merchant ", "has the storeUrl yiwu already, with the name '义乌鞋业'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ",a,a | line 2: name is empty",
        "a,a,a,,shop | line 2: boundStore belongs to a token",
        "a,a,a,ERP,,,soon | line 2: expires is 'SOON'",
        "a,a,a,ERP,,stock:reed, | line 2: there is no scope 'stock:reed'",
      })
  void namesEveryRowThatCannotBeTaken(String row, String sentence) throws IOException {
    Program.Run run = run(file(row + "\nb,b,b\nb,b,b\n"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("nothing was created", sentence, "line 4: line 3 has the same storeUrl");
  }

  @Test
  void namesWrongColumns() throws IOException {
    Path file = Files.writeString(folder.resolve("wrong.csv"), "name,store\na,b\n");

    assertThat(run(file).err()).contains("Missing: storeUrl, storeName.", "Unknown: store.");
    assertThat(run(Files.writeString(folder.resolve("empty.csv"), HEADER)).err())
        .contains("has no rows");
    assertThat(run(file, "--apply").exitCode()).isEqualTo(2);
  }

  private Path file(String rows) throws IOException {
    return Files.writeString(folder.resolve("merchants.csv"), HEADER + rows);
  }

  private static Program.Run run(Path file, String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "merchant";
    arguments[1] = "import";
    arguments[2] = file.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Program.operating(server).run(arguments);
  }

  private static List<String> merchants() {
    return Program.operating(server)
        .run("merchant", "list", "--json")
        .json()
        .path("merchants")
        .valueStream()
        .map(each -> each.path("name").asString())
        .toList();
  }
}
