package io.stockroom.server.fuzz;

import io.stockroom.core.audit.Audit;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Json;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.catalogue.ProductDetail;
import io.stockroom.core.database.Cells;
import io.stockroom.core.limits.DetailLimits;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.publish.PublishResults;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.stock.AdjustStock;
import io.stockroom.core.stock.CreateStock;
import io.stockroom.core.stock.StockEntries;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.FeedReader;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.protocol.request.WebhookReader;
import io.stockroom.server.testing.TestServer;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Fuzz targets that parse request bodies like the pipeline does after authentication. */
final class Bodies {
  private static final Call CALL =
      new Call(
          new Caller(1, 1, "app", 1, "", "127.0.0.1", Limits.of(Settings.with(Map.of()), Map.of())),
          0,
          Language.ENGLISH);

  private static final String FORM = RequestContent.FORM;
  private static final String JSON = RequestContent.JSON;

  private Bodies() {}

  /** Created lazily, because they need a database object, although parsing does not query it. */
  private static final class Endpoints {
    private static final Cells CELLS = TestServer.shared().cells();
    private static final IdempotentReplies REPLIES = new IdempotentReplies(CELLS);
    private static final CreateStock CREATE =
        new CreateStock(new StockEntries(Clock.systemUTC(), true), REPLIES, false);
    private static final AdjustStock ADJUST = new AdjustStock(REPLIES);
    private static final ProductDetail DETAIL =
        new ProductDetail(CELLS, new DetailLimits(Optional::empty));
    private static final PublishResults PUBLISH =
        new PublishResults(CELLS, new Audit(CELLS), REPLIES);
  }

  static void form(byte[] bytes) {
    read(FormReader::productList, FORM, bytes);
    read(FormReader::stockList, FORM, bytes);
    read(FeedReader::changes, FORM, bytes);
    read(FeedReader::snapshot, FORM, bytes);
    read(FeedReader::digest, FORM, bytes);
  }

  static void create(byte[] bytes) {
    read(reader(Endpoints.CREATE), JSON, bytes);
  }

  static void adjust(byte[] bytes) {
    read(reader(Endpoints.ADJUST), JSON, bytes);
  }

  static void detail(byte[] bytes) {
    read(reader(Endpoints.DETAIL), JSON, bytes);
    read(reader(Endpoints.DETAIL), FORM, bytes);
  }

  static void publish(byte[] bytes) {
    read(reader(Endpoints.PUBLISH), JSON, bytes);
  }

  static void webhook(byte[] bytes) {
    read(WebhookReader::create, JSON, bytes);
    read(WebhookReader::replay, JSON, bytes);
    read(WebhookReader::deliveries, JSON, bytes);
    read(WebhookReader::replay, FORM, bytes);
    read(WebhookReader::deliveries, FORM, bytes);
  }

  private interface Reader {
    Object read(RequestContent content) throws InvalidRequest;
  }

  private static Reader reader(Endpoint<?> endpoint) {
    return content -> endpoint.read(CALL, content);
  }

  private static void read(Reader reader, String type, byte[] bytes) {
    try {
      Object read = reader.read(RequestContent.of(type, "", bytes));
      Target.require(read != null, "read or rejected");
    } catch (InvalidRequest invalid) {
      Rejection answer = Rejection.of(invalid);
      Target.require(answer.status() == 400, "rejected with 400");
      String json = Json.text(answer, Language.CHINESE);
      Target.require(json.contains("\"errors\":[{"), "says what is wrong");
    }
  }
}
