package io.stockroom.console.operator;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.protocol.Text;
import io.stockroom.protocol.request.Problems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The list of merchants, and the page of one merchant. */
@Controller
@Allow(Role.OPERATOR)
public final class MerchantPages {
  private static final int PAGE_SIZE = 50;

  /** The messages {@code merchant.done.…}. */
  private static final Set<String> DONE =
      Set.of("renamed", "suspended", "resumed", "closed", "moving");

  private final Merchants merchants;
  private final MerchantDirectory directory;
  private final MerchantDetails details;

  public MerchantPages(Merchants merchants, MerchantDirectory directory, MerchantDetails details) {
    this.merchants = merchants;
    this.directory = directory;
    this.details = details;
  }

  /**
   * @param after the page starts after this merchant
   * @param before the page ends before this merchant
   */
  @GetMapping("/merchants")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String q,
      @RequestParam(defaultValue = "0") int after,
      @RequestParam(defaultValue = "0") int before,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    response.setHeader("Vary", "HX-Request");
    fill(q.strip(), after, before, model);
    return visit.isPiece() ? "merchants :: list" : "merchants";
  }

  @PostMapping("/merchants")
  String create(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String name,
      @RequestParam(defaultValue = "") String storeUrl,
      @RequestParam(defaultValue = "") String storeName,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Problems problems = new Problems();
    String kept = problems.check("name", () -> name(name));
    String keptUrl = problems.check("storeUrl", () -> name(storeUrl));
    String keptStore = problems.check("storeName", () -> name(storeName));
    if (kept == null || keptUrl == null || keptStore == null) {
      response.setStatus(422);
      Map<String, String> wrong = new HashMap<>();
      problems
          .list()
          .forEach(problem -> wrong.put(problem.at(), problem.message(visit.language())));
      model.addAttribute("wrong", wrong);
      model.addAttribute("name", name);
      model.addAttribute("storeUrl", storeUrl);
      model.addAttribute("storeName", storeName);
      fill("", 0, 0, model);
      return "merchants";
    }
    int merchantId = merchants.create(kept, keptUrl, keptStore, visit.actor());
    return "redirect:/console/merchants/" + merchantId + "?created";
  }

  private static String name(String text) {
    return Text.name(text, Merchants.NAME_CHARACTERS);
  }

  private void fill(String q, int after, int before, Model model) throws SQLException {
    model.addAttribute(
        "page", directory.page(new MerchantDirectory.Wanted(q, after, before, PAGE_SIZE)));
    model.addAttribute("q", q);
  }

  /**
   * Suggests merchants that match the text typed into a merchant field.
   *
   * @param of the name of the field
   */
  @GetMapping("/merchants/suggestions")
  String suggest(@RequestParam String of, HttpServletRequest request, Model model)
      throws SQLException {
    String typed = request.getParameter(of);
    model.addAttribute("suggestions", directory.suggestions(typed == null ? "" : typed));
    return "merchant-field :: suggestions";
  }

  /**
   * @param saved the limit that was just set
   * @param done what was just done with the merchant
   */
  @GetMapping("/merchants/{id}")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(required = false) @Nullable String created,
      @RequestParam(defaultValue = "") String saved,
      @RequestParam(defaultValue = "") String done,
      Model model)
      throws SQLException {
    model.addAttribute("created", created != null);
    model.addAttribute("saved", LimitPages.isLimit(saved) ? saved : "");
    model.addAttribute("done", DONE.contains(done) ? done : null);
    return details.page(visit, details.find(id), model);
  }

  /** The page loads this separately, because counting is slow. */
  @GetMapping("/merchants/{id}/entries")
  String entries(@PathVariable int id, Model model) throws SQLException {
    model.addAttribute("entries", directory.entries(details.find(id).merchantId()));
    return "merchant :: entries";
  }
}
