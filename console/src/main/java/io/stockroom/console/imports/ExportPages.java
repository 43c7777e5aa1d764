package io.stockroom.console.imports;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.FileTransfer;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.call.FileAnswer;
import io.stockroom.files.export.ExportFormat;
import io.stockroom.files.export.Exports;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Downloads a merchant's products with their stock. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT})
public final class ExportPages {
  private final Exports exports;
  private final Audit audit;

  public ExportPages(Exports exports, Audit audit) {
    this.exports = exports;
    this.audit = audit;
  }

  /**
   * @param merchant the merchant, if an operator asks
   */
  @FileTransfer
  @GetMapping("/export")
  void products(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String format,
      @RequestParam(required = false) @Nullable Integer merchant,
      HttpServletResponse response)
      throws SQLException, IOException {
    int merchantId = MerchantScope.one(visit, merchant);
    ExportFormat chosen = ExportFormat.named(format).orElseThrow(PageException::missing);
    audit.note(merchantId, visit.actor(), "products.export", "products", chosen.ending());
    Download.send(
        response,
        new FileAnswer(
            chosen.mediaType(),
            "products-of-merchant-" + merchantId + "." + chosen.ending(),
            to -> exports.write(merchantId, chosen, visit.language(), to)),
        visit);
  }
}
