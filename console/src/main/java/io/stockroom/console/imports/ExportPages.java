package io.stockroom.console.imports;

import io.stockroom.console.people.Role;
import io.stockroom.console.products.ProductView;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.call.FileAnswer;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.catalogue.ProductFilter;
import io.stockroom.files.export.ExportFormat;
import io.stockroom.files.export.Exports;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
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
  private final MerchantProducts products;
  private final Audit audit;

  public ExportPages(Exports exports, MerchantProducts products, Audit audit) {
    this.exports = exports;
    this.products = products;
    this.audit = audit;
  }

  /**
   * @param merchant the merchant, if an operator asks
   * @param chosen the products to export; without any, all products of the view
   * @param parameters a {@link ProductView}, whose filter the products pass
   */
  @LimitedAs(CallKind.DOWNLOAD)
  @GetMapping("/export")
  void products(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String format,
      @RequestParam(required = false) @Nullable Integer merchant,
      @RequestParam(name = "product", required = false) @Nullable List<Integer> chosen,
      @RequestParam Map<String, String> parameters,
      HttpServletRequest request,
      HttpServletResponse response)
      throws SQLException, IOException {
    int merchantId = MerchantScope.one(visit, merchant);
    ExportFormat type = ExportFormat.named(format).orElseThrow(PageException::missing);
    List<Integer> ids =
        chosen != null && !parameters.containsKey("all")
            ? chosen
            : filtered(visit, merchantId, parameters);
    audit.note(merchantId, visit.actor(), "products.export", "products", type.ending());
    Download.send(
        request,
        response,
        new FileAnswer(
            type.mediaType(),
            "products-of-merchant-" + merchantId + "." + type.ending(),
            to -> exports.write(merchantId, type, visit.language(), ids, to)),
        visit);
  }

  /** The products that pass the filter; null if it accepts all. */
  private @Nullable List<Integer> filtered(
      ConsoleRequest visit, int merchantId, Map<String, String> parameters) throws SQLException {
    ProductFilter filter = ProductView.of(parameters, visit.zoneId()).filter();
    return filter.isEmpty() ? null : products.ids(merchantId, filter);
  }
}
