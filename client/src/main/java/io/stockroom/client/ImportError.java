package io.stockroom.client;

/**
 * What is wrong with a row of a file, or what an undo left as it is.
 *
 * @param row the row in the file; 0 if there is none
 * @param artNo the item number; empty if unknown
 * @param column the column; empty if the error concerns the whole row
 * @param value the value in question
 * @param code the error code
 * @param message the reason, in the language of the client
 */
public record ImportError(
    int row, String artNo, String column, String value, String code, String message) {
  static ImportError read(Fields fields) {
    return new ImportError(
        fields.whole("row"),
        fields.text("artNo"),
        fields.text("column"),
        fields.text("value"),
        fields.text("code"),
        fields.text("msg"));
  }
}
