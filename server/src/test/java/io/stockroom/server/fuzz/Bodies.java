package io.stockroom.server.fuzz;

import io.stockroom.protocol.Language;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.call.Call;
import io.stockroom.server.call.Caller;
import io.stockroom.server.call.Endpoint;
import io.stockroom.server.call.Input;
import io.stockroom.server.call.Json;
import io.stockroom.server.call.Problems;
import io.stockroom.server.catalogue.ProductDetail;
import io.stockroom.server.database.Database;
import io.stockroom.server.limits.DetailLimits;
import io.stockroom.server.limits.IdempotentReplies;
import io.stockroom.server.publish.PublishResults;
import io.stockroom.server.settings.Limits;
import io.stockroom.server.settings.Settings;
import io.stockroom.server.stock.CreateStock;
import io.stockroom.server.stock.StockEntries;
import io.stockroom.server.testing.TestServer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bodies of calls, read as the pipeline has them read once the caller is known. */
final class Bodies {
  private static final Call CALL =
      new Call(
          new Caller(1, 1, "app", 1, "", "127.0.0.1", Limits.of(Settings.with(Map.of()), Map.of())),
          0,
          Language.ENGLISH);

  private Bodies() {}

  /** Made when they are first used: they know a database, though reading asks it nothing. */
  private static final class Endpoints {
    private static final Database DATABASE = TestServer.shared().database();
    private static final CreateStock CREATE =
        new CreateStock(
            new StockEntries(Clock.systemUTC(), true, List.of(256, 16_384)),
            new IdempotentReplies(DATABASE),
            new Audit(DATABASE));
    private static final ProductDetail DETAIL =
        new ProductDetail(DATABASE, new DetailLimits(Optional::empty));
    private static final PublishResults PUBLISH =
        new PublishResults(DATABASE, new DetailLimits(Optional::empty), new Audit(DATABASE));
  }

  static Input form(byte[] bytes) {
    return new Input(Input.FORM, "", "", bytes);
  }

  static void create(byte[] bytes) {
    read(Endpoints.CREATE, new Input(Input.JSON, "", "", bytes));
  }

  static void detail(byte[] bytes) {
    read(Endpoints.DETAIL, new Input(Input.JSON, "", "", bytes));
    read(Endpoints.DETAIL, form(bytes));
  }

  static void publish(byte[] bytes) {
    read(Endpoints.PUBLISH, new Input(Input.JSON, "", "", bytes));
  }

  private static void read(Endpoint<?> endpoint, Input input) {
    Problems problems = new Problems();
    Object read = endpoint.read(CALL, input, problems);
    Target.require(read != null || problems.any(), "read or refused");
    requireAnswer(problems);
  }

  static void requireAnswer(Problems problems) {
    if (problems.any()) {
      Target.require(problems.refused().status() == 400, "refused with 400");
      String answer = Json.text(problems.refused(), Language.CHINESE);
      Target.require(answer.contains("\"errors\":[{"), "says what is wrong");
    }
  }
}
