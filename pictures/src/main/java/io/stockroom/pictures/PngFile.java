package io.stockroom.pictures;

import io.stockroom.pictures.PictureFile.Damaged;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Reads the chunks of a PNG file, without texts, times, EXIF and further frames. */
final class PngFile {
  private static final int SIGNATURE_BYTES = 8;

  private static final Set<String> NEEDED =
      Set.of(
          "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "cICP");

  /** It is compressed; a real one has 4 KB or less. */
  private static final int MAX_PROFILE_BYTES = 65_536;

  private PngFile() {}

  static PictureFile read(byte[] bytes) throws Damaged {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    out.write(bytes, 0, SIGNATURE_BYTES);
    in.position(SIGNATURE_BYTES);
    int width = 0;
    int height = 0;
    int orientation = 1;
    boolean hasPixels = false;
    String name;
    do {
      int begin = in.position();
      int length = in.getInt();
      name = StandardCharsets.ISO_8859_1.decode(in.slice(in.position(), 4)).toString();
      int content = begin + 8;
      if (length < 0 || length > in.limit() - content - 4) {
        throw new Damaged("cut off");
      }
      if (name.equals("IHDR")) {
        width = in.getInt(content);
        height = in.getInt(content + 4);
      } else if (name.equals("eXIf")) {
        orientation = Exif.orientation(in.slice(content, length));
      }
      hasPixels |= name.equals("IDAT");
      if (NEEDED.contains(name) && !(name.equals("iCCP") && length > MAX_PROFILE_BYTES)) {
        out.write(bytes, begin, length + 12);
      }
      in.position(content + length + 4);
    } while (!name.equals("IEND"));
    if (!hasPixels) {
      throw new Damaged("without pixels");
    }
    return new PictureFile(PictureType.PNG, width, height, orientation, out.toByteArray());
  }
}
