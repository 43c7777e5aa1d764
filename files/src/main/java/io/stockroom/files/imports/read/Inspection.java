package io.stockroom.files.imports.read;

import org.jspecify.annotations.Nullable;
import org.mozilla.universalchardet.UniversalDetector;

/** Detects the encoding from every byte of a file, while the file is stored. */
public final class Inspection {
  private static final int MAX_SHOWN = 1 << 20;

  /**
   * With so many valid sequences for each invalid one, a file is UTF-8 with some bytes of another
   * encoding, which reading it then reports. Text in any other encoding has far fewer.
   */
  private static final int VALID_PER_INVALID = 10;

  private final UniversalDetector detector = new UniversalDetector();
  private final byte[] head = new byte[3];
  private int headLength;
  private int shown;
  private long valid;
  private long invalid;
  private int following;
  private int least = 0x80;
  private int most = 0xBF;

  public void look(byte[] bytes, int length) {
    for (int i = 0; i < length && headLength < head.length; i++) {
      head[headLength++] = bytes[i];
    }
    boolean plain = true;
    for (int i = 0; i < length; i++) {
      int b = bytes[i] & 0xff;
      if (b >= 0x80 || following > 0) {
        plain = false;
        count(b);
      }
    }
    if (!plain && shown < MAX_SHOWN && !detector.isDone()) {
      detector.handleData(bytes, 0, length);
      shown += length;
    }
  }

  /** The name of the encoding; empty if it cannot be told. */
  public String encoding() {
    int first = head[0] & 0xff;
    int second = head[1] & 0xff;
    if (headLength >= 2 && first == 0xFF && second == 0xFE) {
      return "UTF-16LE";
    }
    if (headLength >= 2 && first == 0xFE && second == 0xFF) {
      return "UTF-16BE";
    }
    boolean marked = headLength == 3 && first == 0xEF && second == 0xBB && head[2] == (byte) 0xBF;
    invalid += following > 0 ? 1 : 0;
    if (marked || invalid == 0 || valid > invalid * VALID_PER_INVALID) {
      return Encodings.UTF_8;
    }
    detector.dataEnd();
    @Nullable String guess = detector.getDetectedCharset();
    return guess == null ? "" : guess;
  }

  /** Counts sequences that are valid UTF-8, and those that are not. */
  private void count(int b) {
    boolean inside = following > 0;
    if (continues(b)) {
      valid += inside && following == 0 ? 1 : 0;
      return;
    }
    invalid++;
    following = 0;
    if (inside && b >= 0x80) {
      // it may begin the next sequence
      var _ = continues(b);
    }
  }

  /** Whether the byte continues valid UTF-8; overlong and impossible sequences are not valid. */
  private boolean continues(int b) {
    if (following > 0) {
      boolean fits = b >= least && b <= most;
      following--;
      least = 0x80;
      most = 0xBF;
      return fits;
    }
    if (b >= 0xC2 && b <= 0xDF) {
      following = 1;
    } else if (b >= 0xE0 && b <= 0xEF) {
      following = 2;
      least = b == 0xE0 ? 0xA0 : 0x80;
      most = b == 0xED ? 0x9F : 0xBF;
    } else if (b >= 0xF0 && b <= 0xF4) {
      following = 3;
      least = b == 0xF0 ? 0x90 : 0x80;
      most = b == 0xF4 ? 0x8F : 0xBF;
    } else {
      return false;
    }
    return true;
  }
}
