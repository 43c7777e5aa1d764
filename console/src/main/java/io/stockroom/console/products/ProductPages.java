package io.stockroom.console.products;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.catalogue.Descriptions;
import io.stockroom.core.catalogue.Detail;
import io.stockroom.core.catalogue.LowStock;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.catalogue.ProductArchive;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The list of a merchant's products, and the page of one product. */
@Controller
@Allow(Role.MERCHANT)
public final class ProductPages {
  private static final int PAGE_SIZE = 50;
  private static final int MAX_CATEGORIES = 200;

  static final int MAX_REMOVED = 20;

  private static final Set<String> DONE = Set.of("created", "saved", "restored");

  /** A tag, or an attribute of a tag, that was removed from a description. */
  private static final Pattern MARKUP = Pattern.compile("<[\\w:-]{1,40}( [\\w:-]{1,40})?>");

  private static final Set<String> VIEW_DONE = Set.of("view-saved", "view-deleted");

  private final MerchantProducts products;
  private final ProductArchive archive;
  private final SavedViews views;
  private final LowStock low;

  public ProductPages(
      MerchantProducts products, ProductArchive archive, SavedViews views, LowStock low) {
    this.products = products;
    this.archive = archive;
    this.views = views;
    this.low = low;
  }

  /**
   * @param parameters a {@link ProductView}, and the {@code page} from 1
   */
  @GetMapping("/products")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam Map<String, String> parameters,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    ProductView view = ProductView.of(parameters, visit.zoneId());
    model.addAttribute("view", view);
    model.addAttribute(
        "page",
        products.page(
            visit.merchantId(),
            new MerchantProducts.Wanted(
                view.filter(), view.sort(), view.descending(), page(parameters), PAGE_SIZE)));
    model.addAttribute("unknownBarcode", parameters.get("barcode"));
    String done = parameters.getOrDefault("done", "");
    model.addAttribute("done", VIEW_DONE.contains(done) ? done : null);
    response.setHeader("Vary", "HX-Request");
    if (visit.isPiece()) {
      return "products :: list";
    }
    model.addAttribute("categories", products.categories(visit.merchantId(), MAX_CATEGORIES));
    model.addAttribute("views", views.of(visit.person().personId()));
    return "products";
  }

  /** The number that a person typed; the first page if it is none. */
  private static int page(Map<String, String> parameters) {
    try {
      return Integer.parseInt(parameters.getOrDefault("page", "1").strip());
    } catch (NumberFormatException noNumber) {
      return 1;
    }
  }

  @GetMapping("/products/{id}")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String done,
      @RequestParam(defaultValue = "") List<String> removed,
      Model model)
      throws SQLException {
    Detail detail = products.find(visit.merchantId(), id);
    if (detail == null) {
      return ArchivePages.show(archive, visit, id, model);
    }
    model.addAttribute("done", DONE.contains(done) ? done : null);
    model.addAttribute(
        "removed", removed.stream().filter(MARKUP.asMatchPredicate()).limit(MAX_REMOVED).toList());
    return page(visit, detail, id, model);
  }

  String page(ConsoleRequest visit, Detail detail, int id, Model model) throws SQLException {
    LowStock.Threshold threshold = low.of(visit.merchantId(), id);
    model.addAttribute("id", id);
    model.addAttribute("product", detail);
    model.addAttribute("description", Descriptions.clean(detail.description()).text());
    model.addAttribute("matrix", SkuMatrix.of(detail.skus(), threshold.below()));
    model.addAttribute("threshold", threshold);
    return "product";
  }
}
