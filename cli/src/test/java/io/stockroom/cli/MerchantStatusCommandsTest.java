package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MerchantStatusCommandsTest {
  private static final String MERCHANT =
      """
      {"merchantId":7,"name":"Yiwu","storeUrl":"yiwu","storeName":"Yiwu Shoes","status":"suspended",\
      "suspendedAt":"2026-01-02T03:04:05Z","suspensionReason":"unpaid","closedAt":null}
      """;

  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void suspendsWithAReason() {
    server.on("POST", "/admin/merchants/7/suspend", 200, MERCHANT);

    Program.Run run = Program.operating(server).run("merchant", "suspend", "7", "--reason=unpaid");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("status:        suspended since 2026-01-02T03:04:05Z: unpaid");
    assertThat(server.last().body()).isEqualTo("{\"reason\":\"unpaid\"}");
    assertThat(Program.operating(server).run("merchant", "suspend", "7").err())
        .contains("--reason");
  }

  @Test
  void resumesClosesAndRenames() {
    server.on("POST", "/admin/merchants/7/resume", 200, MERCHANT);
    server.on("POST", "/admin/merchants/7/close", 200, MERCHANT);
    server.on("PATCH", "/admin/merchants/7", 200, MERCHANT);
    server.on("PATCH", "/admin/applications/app_1", 200, "{\"appid\":\"app_1\"}");
    Program program = Program.operating(server);

    assertThat(program.run("merchant", "resume", "7").exitCode()).isZero();
    assertThat(program.run("merchant", "close", "7", "--confirm=yiwu").exitCode()).isZero();
    assertThat(server.last().body()).isEqualTo("{\"confirm\":\"yiwu\"}");
    assertThat(program.run("merchant", "rename", "7", "--name=New").exitCode()).isZero();
    assertThat(server.last().body()).isEqualTo("{\"name\":\"New\"}");
    assertThat(program.run("app", "rename", "app_1", "--name=New").exitCode()).isZero();
    assertThat(server.last().body()).isEqualTo("{\"name\":\"New\"}");
  }

  @Test
  void removesTheDataAndWaits() {
    String closed = "{\"merchantId\":7,\"status\":\"closed\",\"closedAt\":\"2026-01-02\",%s}";
    server.on(
        "POST",
        "/admin/merchants/7/remove",
        200,
        closed.formatted("\"removalRequestedAt\":\"2026-01-03\",\"removedAt\":null"));
    server.on("GET", "/admin/merchants/7", 200, closed.formatted("\"removedAt\":\"2026-01-04\""));
    Program program = Program.operating(server);

    assertThat(program.run("merchant", "remove", "7", "--confirm=yiwu").out())
        .contains("closed at 2026-01-02, data removed at 2026-01-04");
    assertThat(program.run("merchant", "remove", "7", "--confirm=yiwu", "--no-wait").out())
        .contains("closed at 2026-01-02, data is being removed");
    assertThat(server.last().body()).isEqualTo("{\"confirm\":\"yiwu\"}");
  }

  @Test
  void showsAndSetsTheLimitsOfAllMerchants() {
    String limits =
        """
        {"limits":[{"name":"limits.create-interval","value":"PT5S","source":"default",\
        "text":"5 seconds","meaning":"Time."}]}
        """;
    server.on("GET", "/admin/limits", 200, limits);
    server.on("PUT", "/admin/limits", 200, limits);
    String table =
        """
        LIMIT                   VALUE      SOURCE   MEANING
        limits.create-interval  5 seconds  default  Time.
        """;

    assertThat(Program.operating(server).run("limits").out()).isEqualTo(table);
    Program.Run set =
        Program.operating(server)
            .run("limits", "--set", "create-interval=5 seconds", "--unset=zone");

    assertThat(set.out()).isEqualTo(table);
    assertThat(server.last().body())
        .isEqualTo("{\"limits.create-interval\":\"5 seconds\",\"limits.zone\":null}");
  }
}
