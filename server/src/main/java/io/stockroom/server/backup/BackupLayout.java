package io.stockroom.server.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The layout of a backup file: a zip archive. Its last bytes, the archive comment, hold the SHA-256
 * of all preceding bytes.
 */
final class BackupLayout {
  /** The first entry; it identifies a backup. */
  static final String FIRST = "stockroom-backup.txt";

  static final String EXPLANATION =
      """
      A backup of a Stockroom database. Restore it with: stockroom restore FILE
      Each file under tables/ and cells/ is a table in the text format of PostgreSQL's copy, in UTF-8;
      manifest.json lists them, with the columns, the number of rows and the SHA-256 of each.
      The applications' secrets are encrypted with the server's secret.key, which is not included.
      """;

  static final String MANIFEST = "manifest.json";
  static final int DIGEST_CHARACTERS = 64;

  private static final String COMMENT = "stockroom-backup sha256 ";
  private static final int NAME_IN_ARCHIVE = 30;
  private static final byte[] ARCHIVE = {'P', 'K', 3, 4};

  /** How many bytes at the start identify a backup. */
  static final int HEAD_BYTES = NAME_IN_ARCHIVE + FIRST.length();

  /** The length of the comment at the end. */
  static final int TAIL_BYTES = COMMENT.length() + DIGEST_CHARACTERS;

  private BackupLayout() {}

  static String entry(Manifest part, String table) {
    return (part.cell() == null ? "tables/" : "cells/" + part.cell() + "/") + table + ".copy";
  }

  static String comment(String digest) {
    return COMMENT + digest;
  }

  static boolean isHead(byte[] head) {
    String text = new String(head, US_ASCII);
    return text.startsWith(new String(ARCHIVE, US_ASCII))
        && text.startsWith(FIRST, NAME_IN_ARCHIVE);
  }

  /** The digest in the last bytes of a file; empty if the file is not a backup. */
  static String digest(byte[] tail) {
    String text = new String(tail, US_ASCII);
    return text.matches(COMMENT + "[0-9a-f]{" + DIGEST_CHARACTERS + "}")
        ? text.substring(COMMENT.length())
        : "";
  }
}
