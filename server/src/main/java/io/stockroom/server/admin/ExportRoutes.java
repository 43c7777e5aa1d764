package io.stockroom.server.admin;

import io.stockroom.core.audit.Audit;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.FileAnswer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.files.export.ExportFormat;
import io.stockroom.files.export.Exports;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.util.Optional;

/** Exports a merchant's products with their stock as a file. */
public final class ExportRoutes {
  private final Merchants merchants;
  private final Exports exports;
  private final Audit audit;

  public ExportRoutes(Merchants merchants, Exports exports, Audit audit) {
    this.merchants = merchants;
    this.exports = exports;
    this.audit = audit;
  }

  Answer products(AdminRequest request) throws SQLException {
    int merchantId = request.id("merchant");
    Optional<ExportFormat> format = format(request);
    if (request.problems().any() || format.isEmpty()) {
      return request.rejection();
    }
    if (merchants.find(merchantId) == null) {
      return Rejection.of("merchant", ErrorCode.MERCHANT_MISSING, merchantId);
    }
    audit.note(merchantId, request.actor(), "products.export", "products", format.get().ending());
    return new FileAnswer(
        format.get().mediaType(),
        "products-of-merchant-" + merchantId + "." + format.get().ending(),
        to -> exports.write(merchantId, format.get(), request.language(), to));
  }

  private static Optional<ExportFormat> format(AdminRequest request) {
    String name = request.query("format");
    if (name == null) {
      request.problems().add("format", ErrorCode.FIELD_MISSING, "format");
      return Optional.empty();
    }
    Optional<ExportFormat> format = ExportFormat.named(name);
    if (format.isEmpty()) {
      request.problems().add("format", ErrorCode.TEXT_FORMAT, name, "csv, xlsx or jsonl");
    }
    return format;
  }
}
