package io.stockroom.console.products;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.catalogue.Detail;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.catalogue.ProductArchive;
import io.stockroom.core.catalogue.ProductArchive.Archived;
import io.stockroom.core.catalogue.ProductArchive.Restore;
import io.stockroom.protocol.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Archives products, lists the archived ones, and restores them. */
@Controller
@Allow(Role.MERCHANT)
public final class ArchivePages {
  private static final int CONFLICT = 409;

  private final MerchantProducts products;
  private final ProductArchive archive;

  public ArchivePages(MerchantProducts products, ProductArchive archive) {
    this.products = products;
    this.archive = archive;
  }

  @GetMapping("/products/archived")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "1") int page,
      @RequestParam(defaultValue = "") String done,
      Model model)
      throws SQLException {
    int number = Math.max(1, page);
    ProductArchive.Page found = archive.page(visit.merchantId(), number);
    model.addAttribute("archived", found);
    model.addAttribute("page", number);
    model.addAttribute("pages", Math.max(1, Math.ceilDiv(found.total(), ProductArchive.PAGE)));
    model.addAttribute("done", done.equals("archived") ? done : null);
    return "products-archived";
  }

  @GetMapping("/products/{id}/archive")
  String confirm(@RequestAttribute ConsoleRequest visit, @PathVariable int id, Model model)
      throws SQLException {
    Detail product = products.find(visit.merchantId(), id);
    if (product == null) {
      throw PageException.missing();
    }
    model.addAttribute("id", id);
    model.addAttribute("product", product);
    return "product-archive";
  }

  @PostMapping("/products/{id}/archive")
  String archive(@RequestAttribute ConsoleRequest visit, @PathVariable int id) throws SQLException {
    if (!archive.archive(visit.merchantId(), id, visit.actor())) {
      throw PageException.missing();
    }
    return "redirect:/console/products/archived?done=archived";
  }

  @PostMapping("/products/{id}/restore")
  String restore(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    return switch (archive.restore(visit.merchantId(), id, visit.actor())) {
      case Restore.Done() -> "redirect:/console/products/" + id + "?done=restored";
      case Restore.Missing() -> throw PageException.missing();
      case Restore.Rejected(List<Problem> problems) -> {
        response.setStatus(CONFLICT);
        model.addAttribute(
            "problem", Problem.sentences(problems, problems.size(), visit.language()));
        yield show(archive, visit, id, model);
      }
    };
  }

  /** The page of an archived product. */
  static String show(ProductArchive archive, ConsoleRequest visit, int id, Model model)
      throws SQLException {
    Archived product = archive.find(visit.merchantId(), id);
    if (product == null) {
      throw PageException.missing();
    }
    model.addAttribute("archived", product);
    return "product-archived";
  }
}
