package io.stockroom.protocol;

/**
 * Every way a request can fail. The order is the order of the checks: where a request has faults of
 * several stages, it is answered with those of the first.
 */
public enum ErrorCode {
  // the path and the method
  NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  // the form of the authentication headers
  HEADER_MISSING(400),
  HEADER_REPEATED(400),
  HEADER_FORMAT(400),
  TIMESTAMP_FORMAT(400),
  SIGN_FORMAT(400),
  SIGN_METHOD(400),
  // who is calling
  CREDENTIALS_WRONG(400),
  AUTHENTICATION_THROTTLED(429),
  TIMESTAMP_WINDOW(400),
  SIGN_METHOD_REQUIRED(400),
  ADDRESS_NOT_ALLOWED(400),
  TOKEN_EXPIRED(400),
  TOKEN_REVOKED(400),
  SCOPE_MISSING(400),
  OPERATOR_KEY_THROTTLED(429),
  OPERATOR_KEY_WRONG(401),
  // the body as a whole
  CONTENT_TYPE(400),
  BODY_TOO_LARGE(400),
  BODY_INCOMPLETE(400),
  FORM_BROKEN(400),
  JSON_BROKEN(400),
  // its fields
  FIELD_MISSING(400),
  FIELD_REPEATED(400),
  FIELD_CONFLICT(400),
  FIELD_TYPE(400),
  NUMBER_FORMAT(400),
  NUMBER_RANGE(400),
  BOOLEAN_FORMAT(400),
  TEXT_EMPTY(400),
  TEXT_TOO_LONG(400),
  TEXT_CHARACTERS(400),
  TEXT_FORMAT(400),
  PARTS_DIFFER(400),
  LIST_EMPTY(400),
  LIST_TOO_LONG(400),
  SIZE_FORMAT(400),
  SIZE_BOUNDS(400),
  SIZE_ORDER(400),
  SIZE_TOO_MANY(400),
  BARCODE_ON_RANGE(400),
  ENTRY_REPEATED(400),
  ENTRIES_TOO_MANY(400),
  PRODUCT_REPEATED(400),
  RESULT_FORMAT(400),
  // a file that is imported: as a whole, its columns, its rows
  FILE_TOO_LARGE(413),
  FILE_EMPTY(400),
  FILE_WITHOUT_ROWS(400),
  FILE_FORMAT(400),
  FILE_ENCODING(400),
  FILE_EXPANDS(400),
  ENCODING_UNKNOWN(400),
  DELIMITER_FORMAT(400),
  COLUMN_FIELD(400),
  COLUMN_ABSENT(400),
  COLUMN_MISSING(400),
  COLUMN_REPEATED(400),
  ROW_CELLS(400),
  QUOTE_OPEN(400),
  CELL_TOO_LONG(400),
  CELL_FORMULA(400),
  CELL_FORMAT(400),
  ROW_CONFLICT(400),
  PRODUCT_IN_FILE_TWICE(400),
  PRODUCT_INCOMPLETE(400),
  BARCODE_IN_FILE_TWICE(400),
  ROW_OF_BAD_PRODUCT(400),
  // how often
  TIMESTAMP_REUSED(400),
  CREATE_PACE(429),
  EXPORTS_BUSY(429),
  DETAIL_PER_DAY(200),
  PUBLISH_SHARE(200),
  STORE_PRODUCTS(200),
  // the business
  PRODUCT_MISSING(200),
  STOCK_NOT_ADDED(200),
  COLOURS_TOO_MANY(200),
  BARCODE_USED(200),
  MERCHANT_MISSING(404),
  APPLICATION_MISSING(404),
  TOKEN_MISSING(404),
  TOKEN_AMBIGUOUS(409),
  IMPORT_MISSING(404),
  IMPORT_STATE(409),
  IMPORT_FILE_GONE(409),
  REJECTED_MISSING(404),
  // why an import ended without being applied
  IMPORT_GIVEN_UP(500),
  IMPORT_BROKEN(500),
  // what an import is warned of, and not kept from
  STOCK_TO_ZERO(200),
  PRICE_FACTOR(200),
  BARCODE_SHARED(200),
  PERSON_MISSING(404),
  PERSON_EXISTS(409),
  LIMIT_UNKNOWN(400),
  LIMIT_IMPOSSIBLE(400),
  KEY_FROM_ELSEWHERE(409),
  EXPORT_CELL_TOO_LONG(409),
  // our own failures
  OVERLOADED(503),
  UNAVAILABLE(503),
  INTERNAL(500);

  private final int status;

  ErrorCode(int status) {
    this.status = status;
  }

  /** The HTTP status of an answer whose first problem has this code. */
  public int status() {
    return status;
  }

  /** Whether the same request may succeed when it is sent again later. */
  public boolean retryable() {
    return status == 429 || status == 503;
  }
}
