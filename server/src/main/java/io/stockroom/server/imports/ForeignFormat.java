package io.stockroom.server.imports;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Kinds of file that are no table, known by how they begin: whatever their name says. */
enum ForeignFormat {
  PDF("a PDF", "Save the table as CSV or XLSX.", "%PDF-"),
  PNG("a PNG picture", Advice.PICTURE, "\u0089PNG"),
  JPEG("a JPEG picture", Advice.PICTURE, "\u00FF\u00D8\u00FF"),
  GIF("a GIF picture", Advice.PICTURE, "GIF87a|GIF89a"),
  GZIP("a gzip archive", Advice.ARCHIVE, "\u001F\u008B"),
  SEVEN_ZIP("a 7z archive", Advice.ARCHIVE, "7z\u00BC\u00AF'\u001C"),
  RAR("a RAR archive", Advice.ARCHIVE, "Rar!\u001A\u0007"),
  OLD_EXCEL(
      "an old Excel workbook (.xls) or one with a password",
      "Open it in Excel and save it as .xlsx without a password, or as CSV.",
      "\u00D0\u00CF\u0011\u00E0"),
  HTML("an HTML page", Advice.EXCEL, "<!doctype html|<html|<head|<body|<meta|<table"),
  XML("an XML document", Advice.EXCEL, "<?xml");

  private static final class Advice {
    static final String PICTURE = "Send the table itself as CSV or XLSX.";
    static final String ARCHIVE = "Unpack it and send the file inside.";
    static final String EXCEL = "Open it in Excel and save it as XLSX or CSV.";
  }

  private final String shown;
  private final String advice;
  private final String beginnings;

  /**
   * A kind of file.
   *
   * @param beginnings its first bytes as Latin-1, with bars between several ways
   */
  ForeignFormat(String shown, String advice, String beginnings) {
    this.shown = shown;
    this.advice = advice;
    this.beginnings = beginnings;
  }

  /** What it is, for the message. */
  String shown() {
    return shown;
  }

  /** What to do about it. */
  String advice() {
    return advice;
  }

  /** By the first bytes of a file; null where they are of none of these. */
  static @Nullable ForeignFormat of(byte[] head) {
    return beginning(new String(head, StandardCharsets.ISO_8859_1));
  }

  /** By the first characters of a text, which may be in any encoding. */
  static @Nullable ForeignFormat of(String text) {
    return text.startsWith("<") ? beginning(text) : null;
  }

  private static @Nullable ForeignFormat beginning(String head) {
    for (ForeignFormat format : values()) {
      for (String beginning : format.beginnings.split("\\|", -1)) {
        // markup is written in either case
        if (head.regionMatches(true, 0, beginning, 0, beginning.length())) {
          return format;
        }
      }
    }
    return null;
  }
}
