package io.stockroom.files.export;

import io.stockroom.protocol.Language;
import java.util.Arrays;
import java.util.List;

/** The columns of an export, with the names that imports know. */
final class ExportColumns {
  static final List<String> NAMES =
      List.of(
          "artNo",
          "title",
          "description",
          "price",
          "categoryIdTree",
          "categoryNameTree",
          "imgs",
          "video",
          "attributes",
          "color",
          "colorImage",
          "size",
          "quantity",
          "barCode");

  private static final List<String> CHINESE =
      List.of(
          "货号", "标题", "描述", "价格", "类目id", "类目", "图片", "视频", "属性", "颜色", "颜色图片", "尺码", "库存", "条码");

  private ExportColumns() {}

  /** The header in the language of the person. */
  static List<String> names(Language language) {
    return switch (language) {
      case ENGLISH -> NAMES;
      case CHINESE -> CHINESE;
    };
  }

  /** All pictures in one cell, separated by bars. An address cannot contain a bar, only %7C. */
  static byte[] imgs(ExportedProduct product) {
    int length = 0;
    for (byte[] img : product.imgs()) {
      length += img.length + 1;
    }
    byte[] cell = new byte[Math.max(0, length - 1)];
    int at = 0;
    for (byte[] img : product.imgs()) {
      if (at > 0) {
        cell[at++] = '|';
      }
      System.arraycopy(img, 0, cell, at, img.length);
      at += img.length;
    }
    return cell;
  }

  /** All attributes in one cell: {@code name: value|name: value}. */
  static byte[] attributes(ExportedProduct product) {
    int length = 0;
    for (int i = 0; i < product.attributeNames().length; i++) {
      length += 2 * (product.attributeNames()[i].length + product.attributeValues()[i].length) + 3;
    }
    byte[] cell = new byte[length];
    int at = 0;
    for (int i = 0; i < product.attributeNames().length; i++) {
      if (i > 0) {
        cell[at++] = '|';
      }
      at = escape(product.attributeNames()[i], cell, at);
      cell[at++] = ':';
      cell[at++] = ' ';
      at = escape(product.attributeValues()[i], cell, at);
    }
    return Arrays.copyOf(cell, at);
  }

  /** Puts a backslash before separators. */
  private static int escape(byte[] text, byte[] to, int start) {
    int at = start;
    for (byte each : text) {
      if (each == '|' || each == ':' || each == '\\') {
        to[at++] = '\\';
      }
      to[at++] = each;
    }
    return at;
  }
}
