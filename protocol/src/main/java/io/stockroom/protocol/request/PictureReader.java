package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.ProductText;
import io.stockroom.protocol.Spelling;
import io.stockroom.protocol.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code /Product/Picture}. */
public final class PictureReader {
  private static final List<String> FIELDS = List.of("pid", "artNo", "color", "position");
  private static final List<String> PRODUCT = List.of("pid", "artNo");
  private static final List<String> PLACE = List.of("color", "position");

  /**
   * The query; the body is the picture.
   *
   * @param product whose picture it is; null: the picture is only stored
   * @param color null: it is one of the product's pictures
   * @param position among the product's pictures, from 1; 0: the last
   */
  public record PictureRequest(
      @Nullable NamedProduct product, @Nullable String color, int position) {}

  private PictureReader() {}

  /** All fields are in the query. */
  public static PictureRequest read(RequestContent content) throws InvalidRequest {
    FormReader form = FormReader.ofQuery(content);
    Problems problems = form.problems();
    for (String name : form.names()) {
      Spelling.misspelled(name, FIELDS)
          .filter(meant -> !form.names().contains(meant))
          .ifPresent(meant -> problems.add(name, ErrorCode.FIELD_MISSPELLED, name, meant));
    }
    String pid = form.get("pid");
    String artNo = form.get("artNo");
    String color = form.get("color");
    String position = form.get("position");
    if (pid != null && artNo != null) {
      problems.add("artNo", ErrorCode.FIELD_CHOICE, PRODUCT, PRODUCT);
    } else if (pid == null && artNo == null && (color != null || position != null)) {
      problems.add("pid", ErrorCode.FIELD_CHOICE, PRODUCT, "none of them");
    }
    if (color != null && position != null) {
      problems.add("position", ErrorCode.FIELD_CHOICE, PLACE, PLACE);
    }
    Integer id = pid == null ? null : problems.positive("pid", pid);
    String number = artNo == null ? null : problems.check("artNo", () -> Text.artNo(artNo));
    String shown = color == null ? null : problems.check("color", () -> Text.color(color));
    int place = position == null ? 0 : form.within("position", 1, ProductText.MAX_IMAGES, 1);
    problems.throwIfAny();
    boolean isNamed = id != null || number != null;
    return new PictureRequest(
        isNamed ? new NamedProduct(JsonPath.BODY, id, number) : null, shown, place);
  }
}
