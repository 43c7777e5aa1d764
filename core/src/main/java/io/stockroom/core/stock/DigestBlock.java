package io.stockroom.core.stock;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
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
  private static final String SEPARATOR = "\u001f";

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
     * @param colors the names by number, with {@link #SEPARATOR} between them
     */
    void add(int blockNumber, int productId, byte @Nullable [] packed, @Nullable String colors) {
      if (blockNumber != block) {
        finish();
        block = blockNumber;
      }
      if (packed == null || colors == null) {
        return;
      }
      byte[][] names =
          Arrays.stream(colors.split(SEPARATOR, -1))
              .map(color -> color.getBytes(UTF_8))
              .toArray(byte[][]::new);
      int[] byName = byName(names);
      long[] sorted = sorted(packed, byName);
      length = 0;
      for (long entry : sorted) {
        byte[] name = names[byName[(int) (entry >>> COLOR_SHIFT)]];
        reserve(name.length + MAX_LINE_BYTES);
        append(productId, '\t');
        System.arraycopy(name, 0, lines, length, name.length);
        length += name.length;
        lines[length++] = '\t';
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

    /** The numbers of the colors in the order of their bytes. */
    private static int[] byName(byte[][] names) {
      return IntStream.range(0, names.length)
          .boxed()
          .sorted(Comparator.comparing(number -> names[number], Arrays::compareUnsigned))
          .mapToInt(Integer::intValue)
          .toArray();
    }

    /** The entries with the rank of their color instead of its number, in ascending order. */
    private static long[] sorted(byte[] packed, int[] byName) {
      int[] ranks = new int[byName.length];
      for (int rank = 0; rank < byName.length; rank++) {
        ranks[byName[rank]] = rank;
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
