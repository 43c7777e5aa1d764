package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.util.regex.Pattern;

/** Recognizes texts that spreadsheets make of numbers, sizes and barcodes, and says what to do. */
final class NumberHints {
  private static final Pattern THOUSANDS =
      Pattern.compile("[-+]?[0-9]{1,3}([,' \u00A0\u202F][0-9]{3})+(\\.[0-9]+)?");
  private static final Pattern POINT_THOUSANDS =
      Pattern.compile("[-+]?[0-9]{1,3}(\\.[0-9]{3})+,[0-9]+|[-+]?[0-9]{1,3}(\\.[0-9]{3}){2,}");
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?[0-9]+,[0-9]{1,2}");
  private static final Pattern SCIENTIFIC = Pattern.compile("[0-9](\\.[0-9]+)?[eE]\\+?[0-9]{1,3}");
  private static final Pattern CURRENCY =
      Pattern.compile("[¥￥$€£]\\s*[0-9][0-9.,]*|[0-9][0-9.,]*\\s*(元|¥|￥|€|CNY|RMB|USD)");
  private static final Pattern DATE =
      Pattern.compile(
          "(?i)[0-9]{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
              + "|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-[0-9]{2,4}"
              + "|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}( .*)?"
              + "|(0?[1-9]|1[0-2])/[0-9]{1,2}"
              + "|([0-9]{4}年)?[0-9]{1,2}月([0-9]{1,2}日)?");

  /** Dates of a workbook are days since 1900: these are the years 1954 to 2064. */
  private static final Pattern DATE_NUMBER = Pattern.compile("[2-5][0-9]{4}(\\.0+)?");

  private NumberHints() {}

  /** Adds a problem that says how to write a price or quantity; false if there is no hint. */
  static boolean explain(ProductRow row, String column, String text) {
    if (text.length() > FieldTexts.NUMBER_CHARACTERS) {
      return false;
    }
    if (THOUSANDS.matcher(text).matches()) {
      String plain = text.replaceAll("[,' \u00A0\u202F]", "");
      row.problem(column, text, ErrorCode.NUMBER_THOUSANDS, text, plain);
    } else if (POINT_THOUSANDS.matcher(text).matches()) {
      String plain = text.replace(".", "").replace(',', '.');
      row.problem(column, text, ErrorCode.NUMBER_THOUSANDS, text, plain);
    } else if (DECIMAL_COMMA.matcher(text).matches()) {
      row.problem(column, text, ErrorCode.NUMBER_COMMA, text, text.replace(',', '.'));
    } else if (CURRENCY.matcher(text).matches()) {
      row.problem(column, text, ErrorCode.NUMBER_CURRENCY, text, text.replaceAll("[^0-9.,]", ""));
    } else {
      return false;
    }
    return true;
  }

  /** Adds a problem if Excel made a date of a size such as 3-6. */
  static boolean isDate(ProductRow row, String column, String text) {
    boolean date =
        !isShortNumber(text)
            && (DATE.matcher(text).matches() || DATE_NUMBER.matcher(text).matches());
    if (date) {
      row.problem(column, text, ErrorCode.SIZE_DATE, text);
    }
    return date;
  }

  /** Nearly all sizes: the patterns would take a third of the time of reading a file. */
  private static boolean isShortNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.length() <= 3;
  }

  /** Adds a problem if a spreadsheet shortened a barcode to {@code 6.9E+12}. */
  static boolean isScientific(ProductRow row, String column, String text) {
    boolean scientific = SCIENTIFIC.matcher(text).matches();
    if (scientific) {
      row.problem(column, text, ErrorCode.BARCODE_SCIENTIFIC, text);
    }
    return scientific;
  }
}
