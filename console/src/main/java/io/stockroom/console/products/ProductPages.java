package io.stockroom.console.products;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.catalogue.Descriptions;
import io.stockroom.core.catalogue.Detail;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.catalogue.ProductArchive;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.Set;
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

  private static final Set<String> DONE = Set.of("created", "saved", "restored");

  private final MerchantProducts products;
  private final ProductArchive archive;

  public ProductPages(MerchantProducts products, ProductArchive archive) {
    this.products = products;
    this.archive = archive;
  }

  /**
   * @param stock {@code true}, {@code false}, or empty for all, as in the interface
   * @param after the page starts after this product
   * @param before the page ends before this product
   */
  @GetMapping("/products")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String q,
      @RequestParam(defaultValue = "") String stock,
      @RequestParam(defaultValue = "0") int after,
      @RequestParam(defaultValue = "0") int before,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Boolean filter =
        switch (stock) {
          case "true" -> true;
          case "false" -> false;
          default -> null;
        };
    MerchantProducts.Page page =
        products.page(
            visit.merchantId(),
            new MerchantProducts.Wanted(q.strip(), filter, after, before, PAGE_SIZE));
    model.addAttribute("page", page);
    model.addAttribute("q", q.strip());
    model.addAttribute("stock", filter == null ? "" : filter.toString());
    response.setHeader("Vary", "HX-Request");
    return visit.isPiece() ? "products :: list" : "products";
  }

  @GetMapping("/products/{id}")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String done,
      Model model)
      throws SQLException {
    Detail detail = products.find(visit.merchantId(), id);
    if (detail == null) {
      return ArchivePages.show(archive, visit, id, model);
    }
    model.addAttribute("done", DONE.contains(done) ? done : null);
    model.addAttribute("id", id);
    model.addAttribute("product", detail);
    model.addAttribute("description", Descriptions.clean(detail.description()).text());
    model.addAttribute("matrix", SkuMatrix.of(detail.skus()));
    return "product";
  }
}
