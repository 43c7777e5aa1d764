package io.stockroom.core.stock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
    private byte[] line = new byte[128];
    private int length;
    private int block = -1;
    private int products;
    private int entries;

    /**
     * Adds a product.
     *
     * @param packed eight bytes for each entry: 16 bits the color's number, 16 the size, 32 the
     *     quantity; null if the block has no entries
     * @param colors by number
     */
    void add(int blockNumber, int productId, byte @Nullable [] packed, String[] colors) {
      if (blockNumber != block) {
        finish();
        block = blockNumber;
      }
      if (packed == null) {
        return;
      }
      byte[][] names =
          Arrays.stream(colors).map(color -> color.getBytes(UTF_8)).toArray(byte[][]::new);
      int[] byName = byName(names);
      long[] sorted = sorted(packed, byName);
      byte[] pid = Integer.toString(productId).getBytes(ISO_8859_1);
      for (long entry : sorted) {
        length = 0;
        append(pid);
        append('\t');
        append(names[byName[(int) (entry >>> COLOR_SHIFT)]]);
        append('\t');
        append(Integer.toString((int) (entry >>> SIZE_SHIFT) & SIZE_MASK).getBytes(ISO_8859_1));
        append('\t');
        append(Integer.toString((int) entry).getBytes(ISO_8859_1));
        append('\n');
        sha256.update(line, 0, length);
      }
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
        entries[i] = rank << COLOR_SHIFT | entries[i] & rest;
      }
      Arrays.sort(entries);
      return entries;
    }

    private void append(byte[] bytes) {
      if (length + bytes.length >= line.length) {
        line = Arrays.copyOf(line, 2 * (length + bytes.length));
      }
      System.arraycopy(bytes, 0, line, length, bytes.length);
      length += bytes.length;
    }

    private void append(char character) {
      line[length++] = (byte) character;
    }
  }
}
