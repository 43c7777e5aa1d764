package io.stockroom.console.products;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.protocol.Text;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Saves and deletes a person's views of the product list. */
@Controller
@Allow(Role.MERCHANT)
public final class SavedViewPages {
  private final SavedViews views;

  public SavedViewPages(SavedViews views) {
    this.views = views;
  }

  /**
   * @param query the address of the view, from its question mark on
   */
  @PostMapping("/products/views")
  String save(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String query,
      @RequestParam(name = "name", defaultValue = "") String typed)
      throws SQLException {
    ProductView view = ProductView.of(parameters(query), visit.zoneId());
    String name;
    try {
      name = Text.name(typed, SavedViews.MAX_NAME);
    } catch (IllegalArgumentException noName) {
      throw new PageException(422, "view-name");
    }
    if (!views.save(visit.person().personId(), name, view.query())) {
      throw new PageException(422, "view-many");
    }
    return "redirect:" + view.done("view-saved");
  }

  @PostMapping("/products/views/delete")
  String delete(@RequestAttribute ConsoleRequest visit, @RequestParam String name)
      throws SQLException {
    views.delete(visit.person().personId(), name);
    return "redirect:/console/products?done=view-deleted";
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String part : query.split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parameters.put(part.substring(0, equals), decoded(part.substring(equals + 1)));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException noEncoding) {
      return "";
    }
  }
}
