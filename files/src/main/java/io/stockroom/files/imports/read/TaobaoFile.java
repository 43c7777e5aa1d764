package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Taobao Assistant: a row for each product, with all its variants in one cell. They are numbers,
 * which other cells name; a variant without a name is left out.
 */
final class TaobaoFile extends Shop {
  private static final String COLOR = "1627207";
  private static final Pattern NAMED = Pattern.compile("([0-9]+:-?[0-9]+):([^;]+)");
  private static final Pattern PICTURE =
      Pattern.compile("[^;]*?:([12]):[0-9]+:([0-9:-]*)\\|((?:https?:)?//[^;]+)");

  private record Variant(String quantity, List<String> properties) {}

  private final int number = uses("数字id");
  private final int code = uses(Field.ART_NO, "商家编码");
  private final int num = uses(Field.QUANTITY, "宝贝数量");
  private final int skus = uses("销售属性组合");
  private final int alias = uses("销售属性别名");
  private final int custom = uses("自定义属性值");
  private final int remarks = uses("属性值备注");
  private final int pictures = uses(Field.IMGS, "新图片", "宝贝图片");
  private final Deque<Variant> variants = new ArrayDeque<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> images = new HashMap<>();

  TaobaoFile(Header header) {
    super(header);
    direct(Field.TITLE, "宝贝名称");
    direct(Field.PRICE, "宝贝价格");
    direct(Field.DESCRIPTION, "宝贝描述");
    computes(Field.QUANTITY, Field.COLOR_IMAGE, Field.IMGS);
  }

  @Override
  boolean read(RowCells cells) {
    String given = text(cells, code);
    String at = given.isEmpty() ? text(cells, number) : given;
    names.clear();
    images.clear();
    variants.clear();
    for (int column : new int[] {alias, custom, remarks}) {
      Matcher named = NAMED.matcher(text(cells, column));
      while (named.find()) {
        names.putIfAbsent(named.group(1), named.group(2));
      }
    }
    readPictures(cells);
    begin(cells, at);
    if (!readVariants(text(cells, skus))) {
      put(cells, text(cells, num), "");
    } else if (!readMore(cells)) {
      header.notes.add(ErrorCode.ENTRIES_LEFT_OUT, "", at, "");
      put(cells, "", "");
    }
    return true;
  }

  private void readPictures(RowCells cells) {
    List<String> main = new ArrayList<>();
    Matcher picture = PICTURE.matcher(text(cells, pictures));
    while (picture.find()) {
      if (picture.group(1).equals("2")) {
        images.put(picture.group(2), picture.group(3));
      } else {
        main.add(picture.group(3));
      }
    }
    put(cells, Field.IMGS, String.join("\n", main));
  }

  /** Reads {@code price:quantity:code:1627207:28341;20509:28314;…}; false if there is none. */
  private boolean readVariants(String text) {
    Variant variant = null;
    boolean any = false;
    for (String part : text.split(";", -1)) {
      String[] pieces = part.split(":", -1);
      int last = pieces.length;
      if (last >= 5) {
        any = true;
        variant = new Variant(pieces[1].strip(), new ArrayList<>());
        variants.add(variant);
      }
      if (variant != null && last >= 2) {
        variant.properties.add(pieces[last - 2].strip() + ":" + pieces[last - 1].strip());
      }
    }
    variants.removeIf(each -> !names.keySet().containsAll(each.properties));
    return any;
  }

  @Override
  boolean readMore(RowCells cells) {
    Variant variant = variants.poll();
    if (variant == null) {
      return false;
    }
    options.nextVariant();
    String image = "";
    for (String property : variant.properties) {
      boolean isColor = property.startsWith(COLOR + ":");
      options.add(isColor ? "颜色" : "尺码", names.getOrDefault(property, ""));
      image = image.isEmpty() ? images.getOrDefault(property, "") : image;
    }
    put(cells, variant.quantity, image);
    return true;
  }

  private void put(RowCells cells, String count, String image) {
    putVariant(cells);
    put(cells, Field.QUANTITY, count);
    put(cells, Field.COLOR_IMAGE, image);
  }
}
