package io.stockroom.console.products;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.catalogue.ProductEditor;
import io.stockroom.core.catalogue.ProductEditor.Outcome;
import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.ProductTexts;
import io.stockroom.pictures.Pictures;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;

/** The form that creates a product, and the one that edits its fields. */
@Controller
@Allow(Role.MERCHANT)
public final class ProductEditPages {
  private static final int UNPROCESSABLE = 422;

  private final ProductEditor editor;
  private final Pictures pictures;
  private final MessageSource messages;

  public ProductEditPages(ProductEditor editor, Pictures pictures, MessageSource messages) {
    this.editor = editor;
    this.pictures = pictures;
    this.messages = messages;
  }

  @GetMapping("/products/new")
  String empty(Model model) {
    return form(null, null, ProductForm.empty(), model);
  }

  @PostMapping("/products/new")
  String create(
      @RequestAttribute ConsoleRequest visit,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    ProductForm form = ProductForm.of(request, true);
    ProductTexts.Parsed parsed =
        form.parse(visit.language(), pictures.embedded(visit.merchantId()));
    if (parsed != null) {
      Outcome outcome =
          editor.create(
              visit.merchantId(),
              Objects.requireNonNull(parsed.artNo()),
              form.fields(parsed.values(), null),
              visit.actor());
      switch (outcome) {
        case Outcome.Saved(int id) -> {
          return shown(id, "created", parsed.removed());
        }
        case Outcome.ArtNoUsed(int id, boolean archived) -> {
          String key = archived ? "product.art-no.archived" : "product.art-no.used";
          form.problems().put(Field.ART_NO.word(), message(visit, key));
          model.addAttribute("usedBy", id);
        }
        case Outcome.Changed(), Outcome.Missing() -> throw new IllegalStateException("not edited");
      }
    }
    response.setStatus(UNPROCESSABLE);
    return form(null, null, form, model);
  }

  @GetMapping("/products/{id}/edit")
  String show(@RequestAttribute ConsoleRequest visit, @PathVariable int id, Model model)
      throws SQLException {
    ProductEditor.Editable product = find(visit, id);
    return form(id, product, ProductForm.of(product), model);
  }

  /**
   * @param seen the product's last change when the form was shown
   */
  @PostMapping("/products/{id}/edit")
  String save(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "0") long seen,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    ProductEditor.Editable product = find(visit, id);
    ProductForm form = ProductForm.of(request, false);
    ProductTexts.Parsed parsed =
        form.parse(visit.language(), pictures.embedded(visit.merchantId()));
    if (parsed != null) {
      Outcome outcome =
          editor.edit(
              visit.merchantId(), id, form.fields(parsed.values(), product), seen, visit.actor());
      switch (outcome) {
        case Outcome.Saved _ -> {
          return shown(id, "saved", parsed.removed());
        }
        case Outcome.Changed() -> model.addAttribute("changed", true);
        case Outcome.Missing() -> throw PageException.missing();
        case Outcome.ArtNoUsed _ -> throw new IllegalStateException("not created");
      }
    } else {
      // what somebody else has changed since is still not overwritten
      product =
          new ProductEditor.Editable(product.artNo(), product.fields(), product.colors(), seen);
    }
    response.setStatus(UNPROCESSABLE);
    return form(id, product, form, model);
  }

  private static String shown(int id, String done, Set<String> removed) {
    return UriComponentsBuilder.fromPath("redirect:/console/products/{id}")
        .queryParam("done", done)
        .queryParam("removed", removed.stream().limit(ProductPages.MAX_REMOVED).toArray())
        .encode()
        .buildAndExpand(id)
        .toUriString();
  }

  private static String form(
      @Nullable Integer id,
      ProductEditor.@Nullable Editable product,
      ProductForm form,
      Model model) {
    model.addAttribute("id", id);
    model.addAttribute("product", product);
    model.addAttribute("form", form);
    return "product-form";
  }

  private ProductEditor.Editable find(ConsoleRequest visit, int id) throws SQLException {
    ProductEditor.Editable product = editor.read(visit.merchantId(), id);
    if (product == null) {
      throw PageException.missing();
    }
    return product;
  }

  private String message(ConsoleRequest visit, String key) {
    return messages.getMessage(key, null, Locale.of(visit.language().tag()));
  }
}
