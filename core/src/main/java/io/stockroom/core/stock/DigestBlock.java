package io.stockroom.core.stock;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The digest of the stock of 256 consecutive product ids: SHA-256 of the lines {@code pid TAB color
 * TAB size TAB stock LF}, sorted by pid, color (bytes) and size.
 */
record DigestBlock(int number, int products, int entries, byte[] digest) {
  /** Where the color's number and the size begin in a packed entry; the quantity is at its end. */
  private static final int COLOR_SHIFT = 48;

  private static final int SIZE_SHIFT = 32;
  private static final int SIZE_MASK = 0xffff;

  /** Three numbers, tabs and the end of the line. */
  private static final int MAX_LINE_BYTES = 32;

  /** Between the names of colors, which have no control characters. */
  private static final byte SEPARATOR = 0x1f;

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Computes blocks from products in the order of their ids. */
  static final class Digester {
    private final MessageDigest sha256 = sha256();
    private final List<DigestBlock> blocks = new ArrayList<>();
    private byte[] lines = new byte[4096];
    private int length;
    private int block = -1;
    private int products;
    private int entries;

    /**
     * Adds a product.
     *
     * @param packed eight bytes for each entry: 16 bits the color's number, 16 the size, 32 the
     *     quantity; null if the block has no entries
     * @param colors the names by number, in UTF-8, with {@link #SEPARATOR} between them
     */
    void add(int blockNumber, int productId, byte @Nullable [] packed, byte @Nullable [] colors) {
      if (blockNumber != block) {
        finish();
        block = blockNumber;
      }
      if (packed == null || colors == null) {
        return;
      }
      byte[][] names = split(colors);
      byte[][] ordered = names.clone();
      Arrays.sort(ordered, Arrays::compareUnsigned);
      long[] sorted = sorted(packed, names, ordered);
      length = 0;
      int prefix = 0;
      int prefixEnd = 0;
      int rank = -1;
      for (long entry : sorted) {
        int next = (int) (entry >>> COLOR_SHIFT);
        byte[] name = ordered[next];
        reserve(name.length + MAX_LINE_BYTES);
        if (next == rank) {
          System.arraycopy(lines, prefix, lines, length, prefixEnd - prefix);
          length += prefixEnd - prefix;
        } else {
          rank = next;
          prefix = length;
          append(productId, '\t');
          System.arraycopy(name, 0, lines, length, name.length);
          length += name.length;
          lines[length++] = '\t';
          prefixEnd = length;
        }
        append((int) (entry >>> SIZE_SHIFT) & SIZE_MASK, '\t');
        append((int) entry, '\n');
      }
      sha256.update(lines, 0, length);
      products++;
      entries += sorted.length;
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

    /** The entries with the rank of their color instead of its number, in ascending order. */
    private static long[] sorted(byte[] packed, byte[][] names, byte[][] ordered) {
      long[] ranks = new long[names.length];
      for (int i = 0; i < ranks.length; i++) {
        ranks[i] = Arrays.binarySearch(ordered, names[i], Arrays::compareUnsigned);
      }
      long[] entries = new long[packed.length / Long.BYTES];
      ByteBuffer.wrap(packed).asLongBuffer().get(entries);
      long rest = (1L << COLOR_SHIFT) - 1;
      for (int i = 0; i < entries.length; i++) {
        long rank = ranks[(int) (entries[i] >>> COLOR_SHIFT)];
        entries[i] = (rank << COLOR_SHIFT) | (entries[i] & rest);
      }
      Arrays.sort(entries);
      return entries;
    }

    private void reserve(int bytes) {
      if (length + bytes > lines.length) {
        lines = Arrays.copyOf(lines, 2 * (length + bytes));
      }
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
