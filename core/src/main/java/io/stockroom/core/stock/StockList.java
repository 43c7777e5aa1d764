package io.stockroom.core.stock;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/** {@code POST /Stock/List}: the stock entries of one product. */
public final class StockList implements Endpoint<Integer> {
  record Entry(UUID guid, @Nullable String barCode, String color, int size, int stock) {}

  // encoded once, since an answer has hundreds of them
  private static final SerializableString GUID = new SerializedString("guid");
  private static final SerializableString BAR_CODE = new SerializedString("barCode");
  private static final SerializableString COLOR = new SerializedString("color");
  private static final SerializableString SIZE = new SerializedString("size");
  private static final SerializableString STOCK = new SerializedString("stock");

  record Entries(List<Entry> data) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeArrayPropertyStart("data");
      for (Entry entry : data) {
        out.writeStartObject();
        out.writeName(GUID);
        out.writeString(Guids.text(entry.guid));
        out.writeName(BAR_CODE);
        if (entry.barCode == null) {
          out.writeNull();
        } else {
          out.writeString(entry.barCode);
        }
        out.writeName(COLOR);
        out.writeString(entry.color);
        out.writeName(SIZE);
        out.writeNumber(entry.size);
        out.writeName(STOCK);
        out.writeNumber(entry.stock);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeStringProperty("msg", "");
      out.writeEndObject();
    }
  }

  record Failed(Problem problem) implements Answer {
    @Override
    public Map<String, String> headers() {
      return Map.of(Answer.ERROR_CODE, problem.code().name());
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", false);
      out.writeStringProperty("data", "");
      out.writeStringProperty("msg", problem.message(language));
      out.writeEndObject();
    }
  }

  private final StockReads reads;

  public StockList(StockReads reads) {
    this.reads = reads;
  }

  @Override
  public Integer read(Call call, RequestContent content) throws InvalidRequest {
    return FormReader.stockList(content);
  }

  @Override
  public Answer answer(Call call, Integer productId) throws SQLException {
    List<Entry> found = reads.of(call.caller().merchantId(), productId);
    if (found == null) {
      return new Failed(Problem.of("productid", ErrorCode.PRODUCT_MISSING, productId));
    }
    return found.isEmpty()
        ? new Failed(Problem.of("productid", ErrorCode.STOCK_NOT_ADDED, productId))
        : new Entries(found);
  }
}
