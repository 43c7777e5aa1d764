package io.stockroom.core.stock;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.database.Cells;
import io.stockroom.core.stock.StockDigests.Digests;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Sha256;
import io.stockroom.protocol.request.FeedReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.HexFormat;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Stock/Digest}: shows whether a copy of the stock is equal, without reading it. */
public final class StockDigest implements Endpoint<RequestContent> {
  private record Written(Digests digests) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      MessageDigest whole = Sha256.digest();
      long products = 0;
      long entries = 0;
      for (DigestBlock block : digests.blocks()) {
        whole.update(block.digest());
        products += block.products();
        entries += block.entries();
      }
      HexFormat hex = HexFormat.of();
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeStringProperty("msg", "");
      out.writeStringProperty("cursor", digests.cursor().text());
      out.writeNumberProperty("products", products);
      out.writeNumberProperty("entries", entries);
      out.writeStringProperty("digest", hex.formatHex(whole.digest()));
      out.writeArrayPropertyStart("blocks");
      for (DigestBlock block : digests.blocks()) {
        out.writeStartObject();
        out.writeNumberProperty("block", block.number());
        out.writeStringProperty("digest", hex.formatHex(block.digest()));
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private final StockDigests digests;

  public StockDigest(Cells cells) {
    this.digests = new StockDigests(cells);
  }

  @Override
  public CallKind kind() {
    return CallKind.OTHER;
  }

  @Override
  public RequestContent read(Call call, RequestContent content) throws InvalidRequest {
    return FeedReader.digest(content);
  }

  @Override
  public Answer answer(Call call, RequestContent request) throws SQLException {
    return new Written(digests.of(call.caller().merchantId()));
  }
}
