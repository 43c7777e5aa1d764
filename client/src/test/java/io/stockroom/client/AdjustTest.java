package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.client.AdjustRejectedException.Failure;
import io.stockroom.client.AdjustRejectedException.Reason;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.SizeItem;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Adjustments and idempotency keys on the wire. */
class AdjustTest {
  private static final String DONE =
      """
      {"success":true,"msg":"","number":19,"entries":[\
      {"guid":"0a","pid":1,"color":"red","size":36,"before":20,"after":18}]}""";

  private final FakeTime time = new FakeTime();
  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = time.client(server, 0).build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private List<String> keys() {
    return server.received().stream().map(request -> request.header("idempotency-key")).toList();
  }

  @Test
  void writesEveryKindOfAdjustment() {
    server.json(200, DONE);
    AdjustReport report =
        client.adjust(
            List.of(
                Adjustment.entry(1, "red", 36).change(-2),
                Adjustment.entry("A100", "red", 37).set(5).expect(7),
                Adjustment.barCode("6901234567892").change(10)));
    assertThat(report)
        .isEqualTo(
            new AdjustReport(
                19, List.of(new AdjustReport.Entry("0a", 1, "red", Size.of(36), 20, 18))));
    assertThat(server.received().get(0).path()).isEqualTo("/Stock/Adjust");
    assertThat(server.received().get(0).body())
        .isEqualTo(
            """
            [{"pid":1,"color":"red","size":36,"change":-2},\
            {"artNo":"A100","color":"red","size":37,"set":5,"expect":7},\
            {"barCode":"6901234567892","change":10}]""");
  }

  @Test
  void reportsEveryFailureWithTheCurrentQuantity() {
    server.json(
        200,
        """
        {"success":false,"msg":"no","errors":[
        {"at":"[0].change","code":"STOCK_INSUFFICIENT","msg":"too few","current":1},
        {"at":"[12]","code":"ENTRY_MISSING","msg":"none","current":null},
        {"at":"","code":"NEW_REASON","msg":"?"}]}""");
    AdjustRejectedException rejected =
        catchThrowableOfType(
            AdjustRejectedException.class,
            () -> client.adjust(List.of(Adjustment.entry(1, "red", 36).change(-2))));
    assertThat(rejected.code()).contains("STOCK_INSUFFICIENT");
    assertThat(rejected.failures())
        .extracting(Failure::index, Failure::reason, Failure::current)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, Reason.STOCK_INSUFFICIENT, 1),
            org.assertj.core.groups.Tuple.tuple(12, Reason.ENTRY_MISSING, null),
            org.assertj.core.groups.Tuple.tuple(-1, Reason.OTHER, null));
  }

  @Test
  void repeatsALostAdjustmentWithTheSameKey() {
    server.cut().page(502, "text/html", "bad").json(200, DONE).json(200, DONE);
    client.adjust(List.of(Adjustment.entry(1, "red", 36).change(-2)));
    client.adjust(List.of(Adjustment.entry(1, "red", 36).change(-2)));
    assertThat(keys().subList(0, 3)).containsOnly(keys().get(0));
    assertThat(keys().get(3)).isNotEqualTo(keys().get(0)).hasSize(36);
  }

  @Test
  void sendsTheGivenKey() {
    server.json(200, DONE);
    client.adjust(
        List.of(Adjustment.entry(1, "red", 36).change(-2)), CallOptions.idempotencyKey("order-17"));
    assertThat(keys()).containsExactly("order-17");
  }

  @Test
  void retriesAPublishResultOnlyWithAKey() {
    String accepted = "{\"success\":true,\"msg\":\"\",\"accepted\":1,\"errors\":[]}";
    List<PublishResult> results = List.of(PublishResult.withdrawn(1));
    server.cut();
    assertThatThrownBy(() -> client.publish(results)).isInstanceOf(NoAnswerException.class);
    server.cut().json(200, accepted);
    assertThat(client.publish(results, CallOptions.idempotencyKey("p1")).complete()).isTrue();
    assertThat(keys()).containsExactly("null", "p1", "p1");
  }

  @Test
  void givesEachRequestOfACreateItsOwnKey() {
    String created = "{\"success\":true,\"msg\":\"\"}";
    server.json(200, created).json(200, created);
    client.createStock(
        IntStream.range(0, 301)
            .mapToObj(i -> new ColorGroup("color " + i, 1, List.of(SizeItem.of("36", i)))),
        batch -> {},
        CallOptions.idempotencyKey("delivery-5"));
    assertThat(keys()).containsExactly("delivery-5", "delivery-5.1");
  }

  @Test
  void rejectsAnInvalidKeyOrAdjustment() {
    assertThat(CallOptions.idempotencyKey("!".repeat(64)).idempotencyKey()).hasSize(64);
    for (String key : List.of("", "~".repeat(65), "two words", "é", "a\n")) {
      assertThatThrownBy(() -> CallOptions.idempotencyKey(key))
          .as(key)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new Adjustment(Adjustment.barCode("69"), 1, 1, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
