package io.stockroom.files.imports.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The shared strings of a workbook, which cells refer to by number. They are kept in a temporary
 * file because there may be millions of them.
 */
final class SharedStrings implements Closeable {
  private static final int REMEMBERED = 1 << 12;
  private static final ValueLayout.OfLong POSITION =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final FileChannel texts;
  private final FileChannel positions;
  private final DataOutputStream textsOut;
  private final DataOutputStream positionsOut;
  private final Arena arena = Arena.ofConfined();
  private final @Nullable String[] remembered = new String[REMEMBERED];
  private final int[] rememberedNumbers = new int[REMEMBERED];
  private @Nullable MemorySegment textsIn;
  private @Nullable MemorySegment positionsIn;
  private long end;
  private int count;

  SharedStrings() throws IOException {
    texts = temporary();
    positions = temporary();
    textsOut = buffered(texts);
    positionsOut = buffered(positions);
  }

  void add(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    positionsOut.writeLong(end);
    textsOut.write(bytes);
    end += bytes.length;
    count++;
  }

  /** Call it once, after the last {@link #add} and before the first {@link #get}. */
  void finish() throws IOException {
    positionsOut.writeLong(end);
    positionsOut.flush();
    textsOut.flush();
    textsIn = texts.map(MapMode.READ_ONLY, 0, end, arena);
    positionsIn = positions.map(MapMode.READ_ONLY, 0, (count + 1L) * Long.BYTES, arena);
  }

  /** The text with this number; null if there is none. */
  @Nullable String get(int number) {
    if (number < 0 || number >= count || textsIn == null || positionsIn == null) {
      return null;
    }
    int place = number & (REMEMBERED - 1);
    String known = remembered[place];
    if (known != null && rememberedNumbers[place] == number) {
      return known;
    }
    long start = positionsIn.get(POSITION, (long) number * Long.BYTES);
    long next = positionsIn.get(POSITION, (number + 1L) * Long.BYTES);
    byte[] bytes = new byte[(int) (next - start)];
    MemorySegment.copy(textsIn, ValueLayout.JAVA_BYTE, start, bytes, 0, bytes.length);
    String text = new String(bytes, UTF_8);
    if (bytes.length < 1024) {
      remembered[place] = text;
      rememberedNumbers[place] = number;
    }
    return text;
  }

  private static FileChannel temporary() throws IOException {
    Path file = Files.createTempFile("stockroom-import-", ".texts");
    return FileChannel.open(
        file,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  private static DataOutputStream buffered(FileChannel channel) {
    OutputStream out = Channels.newOutputStream(channel);
    return new DataOutputStream(new BufferedOutputStream(out, 1 << 16));
  }

  @Override
  public void close() throws IOException {
    arena.close();
    texts.close();
    positions.close();
  }
}
