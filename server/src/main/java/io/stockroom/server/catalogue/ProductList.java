package io.stockroom.server.catalogue;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.server.call.Answer;
import io.stockroom.server.call.Call;
import io.stockroom.server.call.Endpoint;
import io.stockroom.server.call.Input;
import io.stockroom.server.call.Parameters;
import io.stockroom.server.call.Problems;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/** {@code POST /Stock/Product}: the merchant's products, page by page. */
public final class ProductList implements Endpoint<ProductList.Request> {
  /**
   * @param stock null: all products; true: those with stock added; false: those without
   */
  record Request(int page, @Nullable Boolean stock) {}

  record Summary(int id, String artNo, String pic) {}

  // encoded once, since a page has hundreds of them
  private static final SerializableString ID = new SerializedString("id");
  private static final SerializableString ART_NO = new SerializedString("artNo");
  private static final SerializableString PIC = new SerializedString("pic");

  record Page(int totalPages, List<Summary> data) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeNumberProperty("totalPages", totalPages);
      out.writeArrayPropertyStart("data");
      for (Summary product : data) {
        out.writeStartObject();
        out.writeName(ID);
        out.writeNumber(product.id);
        out.writeName(ART_NO);
        out.writeString(product.artNo);
        out.writeName(PIC);
        out.writeString(product.pic);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private final ProductPages pages;
  private final int pageSize;

  public ProductList(ProductPages pages, int pageSize) {
    this.pages = pages;
    this.pageSize = pageSize;
  }

  @Override
  public @Nullable Request read(Call call, Input input, Problems problems) {
    if (input.body().length > 0) {
      input.require(Input.FORM, problems);
      if (problems.any()) {
        return null;
      }
    }
    Parameters parameters = Parameters.read(input, problems);
    int page = parameters.positive("page");
    Boolean stock = filter(parameters.get("stock"), problems);
    return problems.any() ? null : new Request(page, stock);
  }

  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    int merchantId = call.caller().merchantId();
    Boolean stock = request.stock;
    return stock == null
        ? pages.all(merchantId, request.page, pageSize)
        : pages.filtered(merchantId, stock, request.page, pageSize);
  }

  private static @Nullable Boolean filter(@Nullable String text, Problems problems) {
    if (text == null || text.isEmpty()) {
      return null;
    }
    if (text.equalsIgnoreCase("true")) {
      return true;
    }
    if (!text.equalsIgnoreCase("false")) {
      problems.add("stock", ErrorCode.BOOLEAN_FORMAT, text);
    }
    return false;
  }
}
