package io.stockroom.files.export;

import java.io.IOException;
import java.io.OutputStream;

/** Writes JSON Lines: one product per line, with its stock by color. */
final class JsonLinesWriter implements ProductWriter {
  private static final byte[] ESCAPE = Bytes.ascii("\\u00");
  private static final byte[] HEX = Bytes.ascii("0123456789abcdef");
  private static final byte[] ART_NO = Bytes.ascii("{\"artNo\":");
  private static final byte[] TITLE = Bytes.ascii(",\"title\":");
  private static final byte[] DESCRIPTION = Bytes.ascii(",\"description\":");
  private static final byte[] PRICE = Bytes.ascii(",\"price\":");
  private static final byte[] CATEGORY_IDS = Bytes.ascii(",\"categoryIdTree\":");
  private static final byte[] CATEGORY_NAMES = Bytes.ascii(",\"categoryNameTree\":");
  private static final byte[] IMGS = Bytes.ascii(",\"imgs\":[");
  private static final byte[] VIDEO = Bytes.ascii("],\"video\":");
  private static final byte[] ATTRIBUTES = Bytes.ascii(",\"attributes\":[");
  private static final byte[] NAME = Bytes.ascii("{\"name\":");
  private static final byte[] VALUE = Bytes.ascii(",\"value\":");
  private static final byte[] SKUS = Bytes.ascii("],\"skus\":[");
  private static final byte[] COLOR = Bytes.ascii("{\"color\":");
  private static final byte[] IMG = Bytes.ascii(",\"img\":");
  private static final byte[] SIZES = Bytes.ascii(",\"sizes\":[");
  private static final byte[] SIZE = Bytes.ascii("{\"size\":");
  private static final byte[] QUANTITY = Bytes.ascii(",\"quantity\":");
  private static final byte[] BAR_CODE = Bytes.ascii(",\"barCode\":");
  private static final byte[] END_OF_LIST = Bytes.ascii("]}");

  private final Bytes out;
  private int colors;
  private int entries;

  JsonLinesWriter(OutputStream to) {
    out = new Bytes(to);
  }

  @Override
  public void begin(ExportedProduct product) {
    colors = 0;
    field(ART_NO, product.artNo());
    field(TITLE, product.title());
    field(DESCRIPTION, product.description());
    out.put(PRICE).put(product.price());
    field(CATEGORY_IDS, product.categoryIdTree());
    field(CATEGORY_NAMES, product.categoryNameTree());
    out.put(IMGS);
    for (int i = 0; i < product.imgs().length; i++) {
      separate(i);
      text(product.imgs()[i]);
    }
    field(VIDEO, product.video());
    out.put(ATTRIBUTES);
    for (int i = 0; i < product.attributeNames().length; i++) {
      separate(i);
      field(NAME, product.attributeNames()[i]);
      field(VALUE, product.attributeValues()[i]);
      out.put('}');
    }
    out.put(SKUS);
  }

  @Override
  public void color(byte[] name, byte[] image) {
    endColor();
    separate(colors++);
    entries = 0;
    field(COLOR, name);
    if (image.length > 0) {
      field(IMG, image);
    }
    out.put(SIZES);
  }

  @Override
  public void entry(byte[] size, int quantity, byte[] bytes, int offset, int length) {
    separate(entries++);
    out.put(SIZE);
    if (Bytes.isWholeNumber(size)) {
      out.put(size);
    } else {
      text(size);
    }
    out.put(QUANTITY).number(quantity);
    if (length > 0) {
      out.put(BAR_CODE);
      text(bytes, offset, length);
    }
    out.put('}');
  }

  @Override
  public void end() throws IOException {
    endColor();
    out.put(END_OF_LIST).put('\n');
    out.endRow();
  }

  @Override
  public void finish() throws IOException {
    out.handOn();
  }

  private void endColor() {
    if (colors > 0) {
      out.put(END_OF_LIST);
    }
  }

  private void separate(int before) {
    if (before > 0) {
      out.put(',');
    }
  }

  private void field(byte[] name, byte[] value) {
    out.put(name);
    text(value);
  }

  private void text(byte[] text) {
    text(text, 0, text.length);
  }

  private void text(byte[] bytes, int offset, int length) {
    out.put('"');
    int end = offset + length;
    int from = offset;
    for (int at = offset; at < end; at++) {
      byte each = bytes[at];
      boolean isPlain = each < 0 || (each >= ' ' && each != '"' && each != '\\');
      if (!isPlain) {
        out.put(bytes, from, at - from);
        from = at + 1;
        escape(each);
      }
    }
    out.put(bytes, from, end - from).put('"');
  }

  private void escape(byte each) {
    switch (each) {
      case '"', '\\' -> out.put('\\').put(each);
      case '\n' -> out.put('\\').put('n');
      case '\r' -> out.put('\\').put('r');
      case '\t' -> out.put('\\').put('t');
      default -> out.put(ESCAPE).put(HEX[each >> 4]).put(HEX[each & 15]);
    }
  }
}
