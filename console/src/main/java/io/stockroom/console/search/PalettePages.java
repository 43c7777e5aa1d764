package io.stockroom.console.search;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.Navigation;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.merchants.MerchantDirectory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** What the command palette finds: pages, products, barcodes, and merchants for operators. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT, Role.DEVELOPER})
public final class PalettePages {
  private static final int MAX_FOUND = 8;
  private static final int MAX_TEXT = 100;
  private static final int MIN_BARCODE = 4;

  private final MerchantProducts products;
  private final MerchantDirectory merchants;
  private final MessageSource messages;

  public PalettePages(
      MerchantProducts products, MerchantDirectory merchants, MessageSource messages) {
    this.products = products;
    this.merchants = merchants;
    this.messages = messages;
  }

  @GetMapping("/palette")
  String find(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String q,
      Model model)
      throws SQLException {
    String text = shortened(q);
    model.addAttribute("q", text);
    model.addAttribute("pages", pages(visit, text));
    if (visit.person().is(Role.MERCHANT) && !text.isEmpty()) {
      model.addAttribute(
          "scanned",
          text.length() < MIN_BARCODE ? null : products.scanned(visit.merchantId(), text));
      model.addAttribute(
          "products",
          products.page(visit.merchantId(), MerchantProducts.Wanted.of(text, MAX_FOUND)).rows());
    }
    if (visit.person().is(Role.OPERATOR) && !text.isEmpty()) {
      model.addAttribute(
          "merchants", merchants.page(new MerchantDirectory.Wanted(text, 0, 0, MAX_FOUND)).rows());
    }
    return "palette :: found";
  }

  /** Goes to the cell with a scanned barcode, or searches for it. */
  @GetMapping("/scan")
  String scan(@RequestAttribute ConsoleRequest visit, @RequestParam(defaultValue = "") String code)
      throws SQLException {
    if (!visit.person().is(Role.MERCHANT)) {
      return "redirect:" + Navigation.home(visit.person());
    }
    String barcode = shortened(code);
    String encoded = URLEncoder.encode(barcode, StandardCharsets.UTF_8);
    MerchantProducts.Scanned scanned = products.scanned(visit.merchantId(), barcode);
    return scanned == null
        ? "redirect:/console/products?q=%1$s&barcode=%1$s".formatted(encoded)
        : "redirect:/console/products/%d/stock?barcode=%s".formatted(scanned.productId(), encoded);
  }

  private static String shortened(String text) {
    String stripped = text.strip();
    return stripped.length() > MAX_TEXT ? stripped.substring(0, MAX_TEXT) : stripped;
  }

  private List<Navigation.Entry> pages(ConsoleRequest visit, String text) {
    Locale locale = Locale.of(visit.language().tag());
    String wanted = text.toLowerCase(locale);
    return visit.navigation().stream()
        .filter(
            entry ->
                messages
                    .getMessage("navigation." + entry.name(), null, locale)
                    .toLowerCase(locale)
                    .contains(wanted))
        .toList();
  }
}
