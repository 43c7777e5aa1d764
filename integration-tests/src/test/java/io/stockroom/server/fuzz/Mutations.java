package io.stockroom.server.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Mutates bytes pseudo-randomly, the same way for the same seed. */
public final class Mutations {
  private static final List<byte[]> WORDS =
      List.of(
              "{",
              "}",
              "[",
              "]",
              ",",
              ":",
              "\"",
              "\\",
              "\\u",
              "\\uD800",
              "\\u0000",
              "null",
              "true",
              "1e9",
              "-",
              "0",
              "999",
              "1-100",
              "2147483648",
              ".5",
              "\"size\"",
              "\"pid\"",
              "\"param\"",
              "\"stock\"",
              "\"barCode\"",
              "\"color\"",
              "\"list\"",
              "\uFEFF",
              "\u0000",
              "\u00a0",
              "红",
              "👟",
              "//",
              "99999999999999999999",
              "NaN",
              "\n",
              "\r\n",
              "\t",
              "=",
              "&",
              "%",
              "%00",
              "%C0%80",
              "+",
              ";",
              "|",
              "'",
              "<script>",
              "</",
              "<!--",
              "javascript:",
              " onerror=",
              "&#",
              "<svg/",
              "<![CDATA[",
              "-->",
              "PK\u0003\u0004",
              "<c r=\"A1\"",
              " t=\"s\"",
              "<v>",
              "artNo",
              "title",
              "price",
              "P1D",
              "PT",
              "10.0.0.0/8",
              "${",
              "---",
              "!!",
              "*a",
              "&a ")
          .stream()
          .map(word -> word.getBytes(UTF_8))
          .toList();

  private static final int MAX_BYTES = 1 << 16;

  private final Random random;

  public Mutations(long seed) {
    random = new Random(seed);
  }

  /** A seed input after a few mutations. */
  public byte[] next(List<byte[]> seeds) {
    byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
    for (int times = 1 + random.nextInt(8); times > 0; times--) {
      bytes = mutated(bytes, seeds);
    }
    return bytes.length > MAX_BYTES ? Arrays.copyOf(bytes, MAX_BYTES) : bytes;
  }

  private byte[] mutated(byte[] bytes, List<byte[]> seeds) {
    if (bytes.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    int at = random.nextInt(bytes.length);
    int end = Math.min(bytes.length, at + 1 + random.nextInt(12));
    byte[] word = WORDS.get(random.nextInt(WORDS.size()));
    return switch (random.nextInt(8)) {
      case 0 -> joined(bytes, at, at + 1, new byte[] {(byte) random.nextInt(256)});
      case 1 -> joined(bytes, at, at + 1, new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(8))});
      case 2 -> joined(bytes, at, end, new byte[0]);
      case 3 -> joined(bytes, at, at, Arrays.copyOfRange(bytes, at, end));
      case 4 -> joined(bytes, at, at, word);
      case 5 -> joined(bytes, at, end, word);
      case 6 -> Arrays.copyOf(bytes, at);
      default -> {
        byte[] other = seeds.get(random.nextInt(seeds.size()));
        yield joined(
            bytes, at, bytes.length, Arrays.copyOfRange(other, other.length / 2, other.length));
      }
    };
  }

  /** The bytes with the range from {@code start} to {@code end} replaced. */
  private static byte[] joined(byte[] bytes, int start, int end, byte[] middle) {
    byte[] joined = new byte[start + middle.length + bytes.length - end];
    System.arraycopy(bytes, 0, joined, 0, start);
    System.arraycopy(middle, 0, joined, start, middle.length);
    System.arraycopy(bytes, end, joined, start + middle.length, bytes.length - end);
    return joined;
  }
}
