package io.stockroom.files.imports.read;

import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one product from the texts of a form, by the rules of an import. */
public final class ProductTexts {
  /**
   * What the texts say. The values are complete if there are no problems.
   *
   * @param removed what was removed from the description, such as {@code <script>}
   * @param problems each with the {@link Field#word() word} of its field as the column
   */
  public record Parsed(
      @Nullable String artNo,
      ProductValues values,
      Set<String> removed,
      List<FileProblem> problems) {}

  private final Map<Field, String> texts;
  private final ProductRow row = new ProductRow(Choices.NONE, false, new Notes());

  private ProductTexts(Map<Field, String> texts) {
    this.texts = texts;
    row.start(1);
  }

  /**
   * Reads the texts.
   *
   * @param pictures stores the pictures in the description
   */
  public static Parsed read(Map<Field, String> texts, EmbeddedPictures pictures) {
    ProductTexts all = new ProductTexts(texts);
    all.row.pictures = pictures;
    return all.read();
  }

  private Parsed read() {
    String artNo = texts.containsKey(Field.ART_NO) ? check(Field.ART_NO, Text::artNo) : null;
    ProductValues values = new ProductValues();
    values.title = check(Field.TITLE, text -> Text.name(text, FieldTexts.TITLE_CHARACTERS));
    values.cents = FieldTexts.cents(row, Field.PRICE.word(), text(Field.PRICE).strip());
    values.description =
        FieldTexts.description(row, Field.DESCRIPTION.word(), text(Field.DESCRIPTION));
    values.categoryIdTree = category(Field.CATEGORY_ID_TREE);
    values.categoryNameTree = category(Field.CATEGORY_NAME_TREE);
    FieldTexts.sameLength(
        row, Field.CATEGORY_NAME_TREE.word(), values.categoryIdTree, values.categoryNameTree);
    values.imgs = new ArrayList<>();
    FieldTexts.addresses(row, Field.IMGS.word(), text(Field.IMGS), values.imgs);
    if (values.imgs.size() > FieldTexts.MAX_IMAGES) {
      row.problem(
          Field.IMGS.word(),
          "",
          ErrorCode.LIST_TOO_LONG,
          values.imgs.size(),
          FieldTexts.MAX_IMAGES);
    }
    values.video = FieldTexts.address(row, Field.VIDEO.word(), text(Field.VIDEO).strip());
    values.attributeNames = new ArrayList<>();
    values.attributeValues = new ArrayList<>();
    FieldTexts.attributes(
        row,
        Field.ATTRIBUTES.word(),
        text(Field.ATTRIBUTES),
        values.attributeNames,
        values.attributeValues);
    return new Parsed(artNo, values, row.removed, List.copyOf(row.problems));
  }

  private @Nullable String category(Field field) {
    return check(field, text -> Text.line(text, FieldTexts.CATEGORY_CHARACTERS));
  }

  private interface Rule {
    String apply(String text);
  }

  private @Nullable String check(Field field, Rule rule) {
    String text = text(field);
    return row.check(field.word(), text, () -> rule.apply(text));
  }

  /** A browser ends the lines of a text area with CR LF. */
  private String text(Field field) {
    return texts.getOrDefault(field, "").replace("\r\n", "\n");
  }

  /** Attributes as {@link #read} reads them, one on each line. */
  public static String attributes(List<String> names, List<String> values) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      lines
          .append(guarded(names.get(i), true))
          .append(": ")
          .append(guarded(values.get(i), false))
          .append('\n');
    }
    return lines.toString().strip();
  }

  private static String guarded(String text, boolean name) {
    return text.replaceAll(name ? "([\\\\|:])" : "([\\\\|])", "\\\\$1");
  }
}
