package io.stockroom.client.mirror;

import io.stockroom.client.ProductStock;
import io.stockroom.client.StockDigest;
import io.stockroom.client.StockEntry;
import io.stockroom.protocol.Sha256;
import io.stockroom.protocol.Size;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes the digests of a copy as the server does: a SHA-256 per block of 256 product ids over
 * the lines {@code pid TAB color TAB size TAB stock LF}, sorted by pid, color (bytes) and size.
 */
final class BlockDigests {
  private record Line(byte[] color, Size size, int stock) {}

  private static final Comparator<Line> ORDER =
      Comparator.comparing(Line::color, Arrays::compareUnsigned)
          .thenComparing(Line::size, Size.BY_CHARACTERS);

  private final SortedMap<Integer, String> finished = new TreeMap<>();
  private final MessageDigest digest = Sha256.digest();
  private @Nullable Integer current;

  private BlockDigests() {}

  /** The digests of all blocks with entries. */
  static SortedMap<Integer, String> of(MirrorStore store) {
    BlockDigests digests = new BlockDigests();
    store.read(digests::add);
    digests.finishBlock();
    return digests.finished;
  }

  /** The digest over the digests of all blocks. */
  static String overall(SortedMap<Integer, String> blocks) {
    MessageDigest overall = Sha256.digest();
    for (Map.Entry<Integer, String> block : blocks.entrySet()) {
      overall.update(HexFormat.of().parseHex(block.getValue()));
    }
    return HexFormat.of().formatHex(overall.digest());
  }

  /** Products come in the order of their ids. */
  private void add(ProductStock product) {
    int block = product.pid() / StockDigest.PRODUCTS_PER_BLOCK;
    if (current == null || current != block) {
      finishBlock();
      current = block;
    }
    product.entries().stream()
        .map(BlockDigests::line)
        .sorted(ORDER)
        .forEach(line -> add(product.pid(), line));
  }

  private static Line line(StockEntry entry) {
    return new Line(entry.color().getBytes(StandardCharsets.UTF_8), entry.size(), entry.stock());
  }

  private void add(int pid, Line line) {
    digest.update(ascii(pid + "\t"));
    digest.update(line.color);
    digest.update(("\t" + line.size + "\t" + line.stock + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private void finishBlock() {
    if (current != null) {
      finished.put(current, HexFormat.of().formatHex(digest.digest()));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
