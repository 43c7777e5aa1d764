package io.stockroom.demo.pictures;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One picture of a product: the same values always yield the same SVG. The values are in its path,
 * {@code /pictures/loafer/7a4a2b-1c1c1c/A8826-3_1.svg}: silhouette, colors with the main one first,
 * item number, view. Text that does not match this pattern never reaches the drawing.
 *
 * @param colors six lower-case hexadecimal digits each, at most {@value #MAX_COLORS}
 */
public record ProductPicture(
    Silhouette silhouette, List<String> colors, String itemNumber, View view) {
  public static final int MAX_COLORS = 6;

  /** The prefix of every path. */
  public static final String FOLDER = "/pictures";

  private static final Pattern COLOR = Pattern.compile("[0-9a-f]{6}");
  private static final Pattern ITEM_NUMBER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,23}");
  private static final Pattern ADDRESS =
      Pattern.compile(
          "/(?<silhouette>[a-z-]{1,16})/(?<colors>[0-9a-f]{6}(?:-[0-9a-f]{6}){0,5})"
              + "/(?<item>[A-Za-z0-9][A-Za-z0-9-]{0,23})_(?<view>[1-4])\\.svg");

  public ProductPicture {
    colors = List.copyOf(colors);
    if (colors.isEmpty() || colors.size() > MAX_COLORS) {
      throw new IllegalArgumentException("1 to 6 colors, not " + colors.size());
    }
    if (!colors.stream().allMatch(color -> COLOR.matcher(color).matches())) {
      throw new IllegalArgumentException("a color is six lower-case hexadecimal digits");
    }
    if (!ITEM_NUMBER.matcher(itemNumber).matches()) {
      throw new IllegalArgumentException("an item number is 1 to 24 letters, digits and dashes");
    }
  }

  /** Parses the path after {@link #FOLDER}; empty if it is not a picture. */
  public static Optional<ProductPicture> parse(String path) {
    Matcher address = ADDRESS.matcher(path);
    if (!address.matches()) {
      return Optional.empty();
    }
    View view = View.of(Integer.parseInt(address.group("view")));
    List<String> colors = List.of(address.group("colors").split("-", -1));
    return Silhouette.of(address.group("silhouette"))
        .map(kind -> new ProductPicture(kind, colors, address.group("item"), view));
  }

  /** The path of this picture. */
  public String address() {
    return "%s/%s/%s/%s_%s.svg"
        .formatted(FOLDER, silhouette.word(), String.join("-", colors), itemNumber, view.number);
  }

  /** Draws the picture. */
  public String svg() {
    List<Shoe> shoes =
        Stream.iterate(0, number -> number < colors.size(), number -> number + 1)
            .map(number -> new Shoe(silhouette, Tone.of(colors.get(number)), number))
            .limit(view == View.COLORS ? MAX_COLORS : 1)
            .toList();
    Shoe shown = shoes.getFirst();
    String scene =
        switch (view) {
          case SIDE -> Scene.side(shown);
          case PAIR -> Scene.pair(shown);
          case SOLE -> Scene.sole(shown);
          case COLORS -> Scene.colors(shoes);
        };
    String definitions = shoes.stream().map(Shoe::definitions).collect(Collectors.joining());
    return Scene.page(shown.tone(), definitions, scene, itemNumber);
  }
}
