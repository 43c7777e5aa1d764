package io.stockroom.files.imports.read;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The encodings of text files, by the names people use. */
final class Encodings {
  /** Shown in the message about an unknown encoding. */
  static final String EXAMPLES = "UTF-8, UTF-16, GBK, GB18030, Big5, windows-1252, Shift_JIS";

  static final String UTF_8 = "UTF-8";
  static final String GBK = "GBK";

  private Encodings() {}

  static @Nullable Charset charset(String name) {
    String upper = name.strip().toUpperCase(Locale.ROOT);
    return switch (upper) {
      // each is a subset of the next, so GB18030 reads them all
      case "GBK", "GB2312", "GB18030", "CP936", "936" -> Charset.forName("GB18030");
      case "UTF8" -> StandardCharsets.UTF_8;
      case "UTF16", "UTF-16" -> StandardCharsets.UTF_16LE;
      default -> known(upper);
    };
  }

  private static @Nullable Charset known(String name) {
    try {
      Charset charset = Charset.forName(name);
      return charset.canEncode() ? charset : null;
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      return null;
    }
  }
}
