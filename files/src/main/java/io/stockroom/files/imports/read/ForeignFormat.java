package io.stockroom.files.imports.read;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** File formats that are not imported, recognized by their first bytes. */
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
   * A file format.
   *
   * @param beginnings its first bytes as Latin-1; bars separate alternatives
   */
  ForeignFormat(String shown, String advice, String beginnings) {
    this.shown = shown;
    this.advice = advice;
    this.beginnings = beginnings;
  }

  /** Its name in messages. */
  String shown() {
    return shown;
  }

  /** What people should do instead. */
  String advice() {
    return advice;
  }

  /** Recognizes a format by the first bytes of a file; null if it is none of these. */
  static @Nullable ForeignFormat of(byte[] head) {
    return beginning(new String(head, StandardCharsets.ISO_8859_1));
  }

  /** Recognizes markup by the first characters of a decoded text. */
  static @Nullable ForeignFormat of(String text) {
    return text.startsWith("<") ? beginning(text) : null;
  }

  private static @Nullable ForeignFormat beginning(String head) {
    for (ForeignFormat format : values()) {
      for (String beginning : format.beginnings.split("\\|", -1)) {
        // markup may be in upper or lower case
        if (head.regionMatches(true, 0, beginning, 0, beginning.length())) {
          return format;
        }
      }
    }
    return null;
  }
}
