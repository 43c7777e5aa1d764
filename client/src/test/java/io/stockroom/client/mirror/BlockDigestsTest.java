package io.stockroom.client.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.ProductStock;
import io.stockroom.client.StockChange;
import io.stockroom.client.StockEntry;
import io.stockroom.protocol.Size;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BlockDigestsTest {
  private static StockEntry entry(String color, int size, int stock) {
    return new StockEntry("0a", null, color, Size.of(size), stock);
  }

  private static byte[] sha256(byte[] bytes) throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256").digest(bytes);
  }

  private static byte[] lines(String text) throws NoSuchAlgorithmException {
    return sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void sortsByProductThenColorBytesThenSize() throws NoSuchAlgorithmException {
    MemoryMirrorStore store = new MemoryMirrorStore();
    // U+FF21 comes before U+1F45F as bytes, but after it as UTF-16
    store.replaceAll(
        "c_1",
        Stream.of(
            new ProductStock(256, "C", List.of(entry("red", 36, 1))),
            new ProductStock(3, "empty", List.of()),
            new ProductStock(
                2,
                "A",
                List.of(
                    entry("\ud83d\udc5f", 36, 1),
                    entry("\uff21", 36, 2),
                    entry("red", 100, 3),
                    entry("red", 36, 4),
                    entry("Red", 36, 5))),
            new ProductStock(255, "B", List.of(entry("red", 36, 0)))));
    byte[] first =
        lines(
            """
            2\tRed\t36\t5
            2\tred\t36\t4
            2\tred\t100\t3
            2\t\uff21\t36\t2
            2\t\ud83d\udc5f\t36\t1
            255\tred\t36\t0
            """);
    byte[] second = lines("256\tred\t36\t1\n");
    HexFormat hex = HexFormat.of();
    assertThat(BlockDigests.of(store))
        .containsExactly(
            java.util.Map.entry(0, hex.formatHex(first)),
            java.util.Map.entry(1, hex.formatHex(second)));
    byte[] both = new byte[64];
    System.arraycopy(first, 0, both, 0, 32);
    System.arraycopy(second, 0, both, 32, 32);
    assertThat(BlockDigests.overall(BlockDigests.of(store))).isEqualTo(hex.formatHex(sha256(both)));
  }

  @Test
  void theDigestOfNothingIsThatOfNoBytes() throws NoSuchAlgorithmException {
    assertThat(BlockDigests.of(new MemoryMirrorStore())).isEmpty();
    assertThat(BlockDigests.overall(BlockDigests.of(new MemoryMirrorStore())))
        .isEqualTo(HexFormat.of().formatHex(sha256(new byte[0])));
  }

  @Test
  void applyingChangesTwiceChangesNothing() {
    MemoryMirrorStore store = new MemoryMirrorStore();
    store.replaceAll("c_1", Stream.of(new ProductStock(1, "A", List.of(entry("red", 36, 4)))));
    List<StockChange> changes =
        List.of(
            change(1, new StockChange.Entry("0a", null, "red", Size.of(36), 4, null)),
            change(2, new StockChange.Entry("0b", "69", "red", Size.of(37), null, 9)),
            change(3, new StockChange.Entry("0b", "69", "red", Size.of(37), 9, 8)));
    store.apply("c_1", "c_1", changes);
    store.apply("c_1", "c_2", changes);
    assertThat(store.product(1).orElseThrow().entries())
        .containsExactly(new StockEntry("0b", "69", "red", Size.of(37), 8));
    assertThat(store.cursor()).contains("c_2");
  }

  private static StockChange change(long number, StockChange.Entry entry) {
    return new StockChange(number, Instant.EPOCH, 1, "A", "interface", "b_1", List.of(entry));
  }
}
