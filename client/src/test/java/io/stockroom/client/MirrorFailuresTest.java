package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.client.mirror.MemoryMirrorStore;
import io.stockroom.client.mirror.StockMirror;
import io.stockroom.protocol.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a mirror starts again with a snapshot, and when it gives up. */
class MirrorFailuresTest {
  private static final String SNAPSHOT =
      """
      {"success":true,"msg":"","cursor":"c_%d","next":"","products":[{"pid":1,"artNo":"A1",\
      "entries":[{"guid":"0a","barCode":null,"color":"red","size":36,"stock":4}]}]}""";

  private static final String NOTHING =
      "{\"success\":true,\"msg\":\"\",\"cursor\":\"c_%d\",\"more\":false,\"changes\":[]}";

  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = time.client(server, 0).retries(0).build();
  private final MemoryMirrorStore store = new MemoryMirrorStore();
  private final StockMirror mirror = new StockMirror(client, store);

  @AfterEach
  void close() {
    mirror.close();
    server.close();
    client.close();
  }

  private List<String> paths() {
    return server.received().stream().map(ScriptedServer.Received::path).toList();
  }

  @Test
  void takesASnapshotOnceAndThenFollows() {
    server.json(200, SNAPSHOT.formatted(1)).json(200, NOTHING.formatted(1));
    mirror.sync();
    server.json(200, NOTHING.formatted(1));
    mirror.sync();
    assertThat(paths()).containsExactly("/Stock/Snapshot", "/Changes", "/Changes");
    assertThat(mirror.stock(1, "red", Size.of(36))).hasValue(4);
    assertThat(store.cursor()).contains("c_1");
  }

  @Test
  void takesANewSnapshotAfterAnExpiredOrForeignCursor() {
    store.replaceAll("c_0", Stream.empty());
    server.rejection(200, "after", "CURSOR_EXPIRED");
    server.json(200, SNAPSHOT.formatted(5)).json(200, NOTHING.formatted(5));
    mirror.sync();
    assertThat(store.cursor()).contains("c_5");
    server.rejection(400, "after", "CURSOR_FORMAT");
    server.json(200, SNAPSHOT.formatted(7)).json(200, NOTHING.formatted(7));
    mirror.sync();
    assertThat(store.cursor()).contains("c_7");
  }

  @Test
  void followingContinuesAfterAFailedSnapshotAndEndsWithARevokedToken() {
    List<String> failures = new ArrayList<>();
    server.cut().json(200, SNAPSHOT.formatted(1));
    server.rejection(400, "headers.accesstoken", "TOKEN_REVOKED");
    mirror.onFailure(failure -> failures.add(failure.getClass().getSimpleName()));
    assertThatThrownBy(mirror::follow).isInstanceOf(AuthenticationException.class);
    assertThat(failures).containsExactly("NoAnswerException");
    assertThat(paths()).containsExactly("/Stock/Snapshot", "/Stock/Snapshot", "/Changes");
  }

  @Test
  void aFailedSnapshotLeavesTheCopyAsItWas() {
    store.replaceAll("c_0", Stream.of(new ProductStock(9, "A9", List.of())));
    server.rejection(200, "after", "CURSOR_EXPIRED");
    server.json(200, SNAPSHOT.formatted(5).replace("\"next\":\"\"", "\"next\":\"s_1\"")).cut();
    assertThatThrownBy(mirror::sync).isInstanceOf(NoAnswerException.class);
    assertThat(store.cursor()).contains("c_0");
    assertThat(mirror.product(1)).isEmpty();
  }
}
