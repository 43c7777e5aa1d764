package io.stockroom.core.stock;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.protocol.Sha256;
import io.stockroom.protocol.Size;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The digest of the stock of 256 consecutive product ids: SHA-256 of the lines {@code pid TAB color
 * TAB size TAB stock LF}, sorted by pid, color (bytes) and size.
 */
record DigestBlock(int number, int products, int entries, byte[] digest) {
  /** Where the color's number begins in a packed entry; the quantity is at its end. */
  private static final int COLOR_SHIFT = 32;

  /** A key of an entry has the places of its color, its size and itself, each in their order. */
  private static final int PLACE_BITS = 24;

  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

  /** Two numbers, tabs and the end of the line. */
  private static final int MAX_NUMBER_BYTES = 24;

  /** Between the names of colors and between sizes, which have no control characters. */
  private static final char SEPARATOR = 0x1f;

  /** Computes blocks from products in the order of their ids. */
  static final class Digester {
    private final MessageDigest sha256 = Sha256.digest();
    private final List<DigestBlock> blocks = new ArrayList<>();
    private byte[] lines = new byte[4096];
    private int length;
    private int block = -1;
    private int products;
    private int entries;

    /**
     * Adds a product.
     *
     * @param packed eight bytes for each entry: the color's number and the quantity; null if the
     *     block has no entries
     * @param sizes the size of each entry, with {@link #SEPARATOR} between them
     * @param colors the names by number, in UTF-8, with {@link #SEPARATOR} between them
     */
    void add(
        int blockNumber,
        int productId,
        byte @Nullable [] packed,
        @Nullable String sizes,
        byte @Nullable [] colors) {
      if (blockNumber != block) {
        finish();
        block = blockNumber;
      }
      if (packed == null || sizes == null || colors == null) {
        return;
      }
      byte[][] names = split(colors);
      byte[][] ordered = names.clone();
      Arrays.sort(ordered, Arrays::compareUnsigned);
      LongBuffer numbers = ByteBuffer.wrap(packed).asLongBuffer();
      int count = numbers.remaining();
      Size[] each = sizes(sizes, count);
      Size[] distinct = Stream.of(each).distinct().sorted(Size.BY_CHARACTERS).toArray(Size[]::new);
      byte[][] texts =
          Stream.of(distinct).map(size -> size.text().getBytes(UTF_8)).toArray(byte[][]::new);
      length = 0;
      for (long key : keys(numbers, each, distinct, ranks(names, ordered))) {
        byte[] name = ordered[(int) (key >>> (2 * PLACE_BITS))];
        byte[] size = texts[(int) (key >>> PLACE_BITS) & PLACE_MASK];
        reserve(name.length + size.length + MAX_NUMBER_BYTES);
        append(productId, '\t');
        append(name, '\t');
        append(size, '\t');
        append((int) numbers.get((int) key & PLACE_MASK), '\n');
      }
      sha256.update(lines, 0, length);
      products++;
      entries += count;
    }

    /** All blocks; those without entries say so. */
    List<DigestBlock> blocks() {
      finish();
      block = -1;
      return blocks;
    }

    private void finish() {
      if (block >= 0) {
        blocks.add(new DigestBlock(block, products, entries, sha256.digest()));
      }
      products = 0;
      entries = 0;
    }

    private static byte[][] split(byte[] colors) {
      int count = 1;
      for (byte each : colors) {
        count += each == SEPARATOR ? 1 : 0;
      }
      byte[][] names = new byte[count][];
      int begin = 0;
      for (int i = 0; i < count; i++) {
        int end = begin;
        while (end < colors.length && colors[end] != SEPARATOR) {
          end++;
        }
        names[i] = Arrays.copyOfRange(colors, begin, end);
        begin = end + 1;
      }
      return names;
    }

    private static Size[] sizes(String texts, int count) {
      Size[] sizes = new Size[count];
      int begin = 0;
      for (int i = 0; i < count; i++) {
        int end = texts.indexOf(SEPARATOR, begin);
        sizes[i] = Size.of(texts.substring(begin, end < 0 ? texts.length() : end));
        begin = end + 1;
      }
      return sizes;
    }

    /** The place of each color in the order of the names' bytes. */
    private static long[] ranks(byte[][] names, byte[][] ordered) {
      long[] ranks = new long[names.length];
      for (int i = 0; i < ranks.length; i++) {
        ranks[i] = Arrays.binarySearch(ordered, names[i], Arrays::compareUnsigned);
      }
      return ranks;
    }

    /** Ascending: the places of the color, the size and the entry, {@link #PLACE_BITS} each. */
    private static long[] keys(LongBuffer numbers, Size[] each, Size[] distinct, long[] ranks) {
      Map<Size, Integer> places = new HashMap<>();
      for (Size size : distinct) {
        places.put(size, places.size());
      }
      long[] keys = new long[each.length];
      for (int i = 0; i < keys.length; i++) {
        long color = ranks[(int) (numbers.get(i) >>> COLOR_SHIFT)];
        long size = places.getOrDefault(each[i], 0);
        keys[i] = (color << (2 * PLACE_BITS)) | (size << PLACE_BITS) | i;
      }
      Arrays.sort(keys);
      return keys;
    }

    private void reserve(int bytes) {
      if (length + bytes > lines.length) {
        lines = Arrays.copyOf(lines, 2 * (length + bytes));
      }
    }

    private void append(byte[] text, char end) {
      System.arraycopy(text, 0, lines, length, text.length);
      length += text.length;
      lines[length++] = (byte) end;
    }

    private void append(int number, char end) {
      int digits = 1;
      for (int rest = number; rest >= 10; rest /= 10) {
        digits++;
      }
      int rest = number;
      for (int i = length + digits - 1; i >= length; i--) {
        lines[i] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
      length += digits;
      lines[length++] = (byte) end;
    }
  }
}
