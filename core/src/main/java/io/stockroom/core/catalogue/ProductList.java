package io.stockroom.core.catalogue;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.FormReader.ProductListRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/** {@code POST /Stock/Product}: the merchant's products, page by page. */
public final class ProductList implements Endpoint<ProductListRequest> {
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
  public ProductListRequest read(Call call, RequestContent content) throws InvalidRequest {
    return FormReader.productList(content);
  }

  @Override
  public Answer answer(Call call, ProductListRequest request) throws SQLException {
    int merchantId = call.caller().merchantId();
    Boolean stock = request.stock();
    return stock == null
        ? pages.all(merchantId, request.page(), pageSize)
        : pages.filtered(merchantId, stock, request.page(), pageSize);
  }
}
