package io.stockroom.console.products;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.catalogue.Detail;
import io.stockroom.core.catalogue.LowStock;
import io.stockroom.core.catalogue.MerchantProducts;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Sets below which quantity an entry is low. */
@Controller
@Allow(Role.MERCHANT)
public final class LowStockPages {
  private final MerchantProducts products;
  private final LowStock low;
  private final ProductPages pages;

  public LowStockPages(MerchantProducts products, LowStock low, ProductPages pages) {
    this.products = products;
    this.low = low;
    this.pages = pages;
  }

  /**
   * @param below the number; empty for the product: the merchant's number holds
   * @param scope {@code product} or {@code merchant}
   */
  @PostMapping("/products/{id}/low-stock")
  String set(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String below,
      @RequestParam(defaultValue = "product") String scope,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Detail detail = products.find(visit.merchantId(), id);
    if (detail == null) {
      throw PageException.missing();
    }
    String text = below.strip();
    boolean ofMerchant = scope.equals("merchant");
    int number = number(text);
    if (number < 0 && (ofMerchant || !text.isEmpty())) {
      response.setStatus(422);
      model.addAttribute("wrongThreshold", ofMerchant ? "merchant" : "product");
      model.addAttribute("typed", below);
      return pages.page(visit, detail, id, model);
    }
    if (ofMerchant) {
      low.setForMerchant(visit.merchantId(), number, visit.actor());
    } else {
      low.setForProduct(visit.merchantId(), id, number < 0 ? null : number, visit.actor());
    }
    return "redirect:/console/products/%d?done=saved".formatted(id);
  }

  /** The number; negative if it is none that can be set. */
  private static int number(String text) {
    try {
      int number = Integer.parseInt(text);
      return number >= LowStock.MIN && number <= LowStock.MAX ? number : -1;
    } catch (NumberFormatException noNumber) {
      return -1;
    }
  }
}
