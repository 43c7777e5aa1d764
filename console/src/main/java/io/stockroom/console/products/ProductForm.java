package io.stockroom.console.products;

import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.core.catalogue.ProductEditor;
import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.ProductTexts;
import io.stockroom.files.imports.read.ProductValues;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.ProductText;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form of a product: what was typed, and what is wrong with it, by field.
 *
 * @param texts the text of each field by its word
 * @param colorImages the picture of each color that the form shows, or an empty text
 * @param problems sentences by the word of their field
 */
public record ProductForm(
    Map<String, String> texts, Map<String, String> colorImages, Map<String, String> problems) {
  private static final String COLOR = "color";

  private static final List<Field> FIELDS =
      List.of(
          Field.TITLE,
          Field.PRICE,
          Field.IMGS,
          Field.CATEGORY_ID_TREE,
          Field.CATEGORY_NAME_TREE,
          Field.ATTRIBUTES,
          Field.VIDEO,
          Field.DESCRIPTION);

  static ProductForm empty() {
    return new ProductForm(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
  }

  static ProductForm of(ProductEditor.Editable product) {
    ProductEditor.Fields fields = product.fields();
    ProductForm form = empty();
    product.colors().forEach(color -> form.colorImages.put(color, ""));
    form.colorImages.putAll(product.colorImages());
    form.put(Field.TITLE, fields.title());
    form.put(Field.PRICE, fields.price().toPlainString());
    form.put(Field.IMGS, String.join("\n", fields.imgs()));
    form.put(Field.CATEGORY_ID_TREE, fields.categoryIdTree());
    form.put(Field.CATEGORY_NAME_TREE, fields.categoryNameTree());
    form.put(
        Field.ATTRIBUTES,
        ProductTexts.attributes(fields.attributeNames(), fields.attributeValues()));
    form.put(Field.VIDEO, fields.video());
    form.put(Field.DESCRIPTION, fields.description());
    return form;
  }

  /** What was typed. */
  static ProductForm of(HttpServletRequest request, boolean isNew) {
    ProductForm form = empty();
    FIELDS.forEach(field -> form.put(field, request.getParameter(field.word())));
    if (isNew) {
      form.put(Field.ART_NO, request.getParameter(Field.ART_NO.word()));
    }
    String[] colors = request.getParameterValues(COLOR);
    String[] addresses = request.getParameterValues(Field.COLOR_IMAGE.word());
    if (colors != null && addresses != null && colors.length == addresses.length) {
      for (int i = 0; i < colors.length; i++) {
        form.colorImages.put(colors[i], addresses[i].strip());
      }
    }
    return form;
  }

  private void put(Field field, @Nullable String text) {
    texts.put(field.word(), text == null ? "" : text);
  }

  public String text(String field) {
    return texts.getOrDefault(field, "");
  }

  public @Nullable String problem(String field) {
    return problems.get(field);
  }

  /** The fields, if there are no problems; otherwise null, and the form has them. */
  ProductTexts.@Nullable Parsed parse(Language language, EmbeddedPictures pictures) {
    Map<Field, String> typed = new EnumMap<>(Field.class);
    texts.forEach((word, text) -> typed.put(Objects.requireNonNull(Field.named(word)), text));
    ProductTexts.Parsed parsed = ProductTexts.read(typed, pictures);
    for (FileProblem problem : parsed.problems()) {
      problems.merge(
          problem.column(), problem.message(language), (first, next) -> first + " " + next);
    }
    colorImages.values().stream()
        .filter(address -> !address.isEmpty() && !ProductText.isWebAddress(address))
        .map(
            address ->
                Problem.of("", ErrorCode.CELL_FORMAT, address, ProductText.ADDRESS_RULE)
                    .message(language))
        .forEach(sentence -> problems.put(Field.COLOR_IMAGE.word(), sentence));
    return problems.isEmpty() ? parsed : null;
  }

  /** The addresses of the pictures, whether they are correct or not. */
  public List<String> imgs() {
    return Arrays.stream(text(Field.IMGS.word()).split("[\\s|]+"))
        .filter(address -> !address.isEmpty())
        .toList();
  }

  /**
   * The fields to write.
   *
   * @param product as it is: a description that differs only in its line ends stays as it is
   */
  ProductEditor.Fields fields(ProductValues values, ProductEditor.@Nullable Editable product) {
    ProductEditor.Fields old = product == null ? null : product.fields();
    String description = Objects.requireNonNullElse(values.description, "");
    boolean same = old != null && old.description().replace("\r\n", "\n").equals(description);
    return new ProductEditor.Fields(
        Objects.requireNonNull(values.title),
        same && old != null ? old.description() : description,
        BigDecimal.valueOf(Objects.requireNonNull(values.cents), 2),
        Objects.requireNonNull(values.imgs),
        Objects.requireNonNullElse(values.categoryIdTree, ""),
        Objects.requireNonNullElse(values.categoryNameTree, ""),
        Objects.requireNonNull(values.attributeNames),
        Objects.requireNonNull(values.attributeValues),
        Objects.requireNonNullElse(values.video, ""),
        product == null ? null : colorImages(product));
  }

  /** In the order of the product; the pictures of colors that the form did not show stay. */
  private Map<String, String> colorImages(ProductEditor.Editable product) {
    Map<String, String> images = new LinkedHashMap<>(product.colorImages());
    colorImages.forEach(
        (color, address) -> {
          if (images.containsKey(color) || product.colors().contains(color)) {
            images.put(color, address);
          }
        });
    images.values().removeIf(String::isEmpty);
    return images;
  }
}
