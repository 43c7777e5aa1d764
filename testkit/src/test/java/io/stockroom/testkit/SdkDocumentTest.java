package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.client.Credentials;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.SizeItem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in docs/sdk.md compiles and runs, and the document lists every exception. */
class SdkDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "sdk.md");
  private static final Path SNIPPETS =
      Path.of("src", "test", "java", "io", "stockroom", "testkit", "Snippets.java");
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void showsOnlyCodeThatCompiles() throws IOException {
    String compiled = dense(Files.readString(SNIPPETS));
    Matcher block = JAVA.matcher(Files.readString(DOCUMENT));
    int blocks = 0;
    while (block.find()) {
      blocks++;
      assertThat(compiled).contains(dense(block.group(1)));
    }
    assertThat(blocks).isGreaterThanOrEqualTo(10);
  }

  /** Ignores line breaks and indentation. */
  private static String dense(String code) {
    return code.replaceAll("\\s+", "");
  }

  @Test
  void namesEveryException() throws IOException {
    String document = Files.readString(DOCUMENT);
    assertThat(Arrays.stream(StockroomException.class.getPermittedSubclasses()))
        .allSatisfy(type -> assertThat(document).contains("| `" + type.getSimpleName() + "` |"));
  }

  @Test
  void showsCodeThatRuns() {
    StockroomServer server = SharedServer.get();
    TestMerchant merchant = server.merchant("Acme");
    int pid = merchant.addProduct();
    Credentials credentials = merchant.credentials();
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (StockroomClient client =
        Snippets.settings(
            server.address(),
            credentials.appid(),
            credentials.secret(),
            credentials.accesstoken())) {
      Snippets.quickStart(
          server.address(), credentials.appid(), credentials.secret(), credentials.accesstoken());
      assertThat(Snippets.withoutStock(client)).isEmpty();
      Snippets.save(client, pid);
      Snippets.createMany(
          client, Stream.of(new ColorGroup("blue", pid, List.of(SizeItem.of("36", 1)))));
      Snippets.failures(client, pid);
      Snippets.futures(client, pid);
      String cursor = client.latestCursor();
      Snippets.sell(client, pid, "order-1");
      Snippets.sell(client, pid, "order-1");
      // the first page ends the stream
      assertThatThrownBy(() -> Snippets.follow(client, cursor, SdkDocumentTest::fail))
          .hasMessageStartingWith("saved c_");
      assertThat(Snippets.receive(name -> null, new byte[0], "whsec_AAAA")).isEqualTo(400);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("T1")
        .contains("StockEntry[guid=")
        .contains("Product T1 59.00")
        .contains("0 CREATED")
        .contains("1 color groups created")
        .contains("title=Canvas shoe, status=none-yet", "fields=[imgs]")
        .contains("106 in 7 entries")
        .contains("18 left")
        .contains("T1 Entry[guid=");
  }

  private static void fail(String cursor) {
    throw new IllegalStateException("saved " + cursor);
  }
}
