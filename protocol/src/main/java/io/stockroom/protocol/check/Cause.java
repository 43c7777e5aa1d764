package io.stockroom.protocol.check;

/**
 * Why a server rejects a request. The order is the order of the checks, so the first cause found is
 * the likeliest.
 */
public enum Cause {
  // the address
  PATH_UNKNOWN,
  PATH_SPELLING,
  PATH_SLASHES,
  PATH_PREFIX(true),
  PATH_CASE(true),
  METHOD,
  // the headers
  HEADER_MISSPELT,
  HEADER_ELSEWHERE,
  HEADER_MISSING,
  HEADERS_SWAPPED,
  HEADER_REPEATED,
  HEADER_JOINED,
  HEADER_PLACEHOLDER,
  HEADER_QUOTED,
  HEADER_ENCODED,
  TOKEN_BEARER,
  HEADER_CHARACTERS,
  HEADER_TOO_LONG,
  SECRET_SENT(true),
  // the timestamp
  TIMESTAMP_MILLISECONDS,
  TIMESTAMP_MICROSECONDS,
  TIMESTAMP_FRACTION,
  TIMESTAMP_DATE,
  TIMESTAMP_FORMAT,
  // the form of the signature
  SIGN_METHOD_UNKNOWN,
  SIGN_METHOD_MISSING,
  SIGN_METHOD_MIXED,
  SIGN_SHORT,
  SIGN_BASE64,
  SIGN_FORMAT,
  SIGN_LOWER_CASE(true),
  NONCE_FORMAT,
  NONCE_UNSIGNED,
  IDEMPOTENCY_KEY_FORMAT,
  // the application
  APPLICATION_OTHER,
  // how the signature was made
  SIGN_ORDER,
  SIGN_SEPARATOR,
  SIGN_NEWLINE,
  SIGN_MILLISECONDS,
  SIGN_OTHER_TIME,
  SIGN_OTHER_SECRET,
  SIGN_RECIPE,
  SIGN_WRONG,
  CLOCK_ZONE,
  CLOCK_OFF,
  TIMESTAMP_OLD(true),
  SIGN_METHOD_REQUIRED,
  NONCE_REQUIRED,
  // the token
  TOKEN_CLIPPED,
  TOKEN_OTHER,
  TOKEN_UNKNOWN,
  TOKEN_OF_ANOTHER_APPLICATION,
  TOKEN_REVOKED,
  TOKEN_EXPIRED,
  MERCHANT_SUSPENDED,
  SCOPE_MISSING,
  // the body as a whole
  CONTENT_ENCODING,
  BODY_MULTIPART,
  BODY_JSON_AS_FORM,
  BODY_FORM_AS_JSON,
  CONTENT_TYPE_MISSING,
  CONTENT_TYPE_WRONG,
  CONTENT_TYPE_CHARSET,
  BODY_TOO_LARGE,
  BODY_MISSING,
  FORM_ENCODING,
  JSON_BOM(true),
  JSON_TRAILING_COMMA,
  JSON_QUOTES,
  JSON_COMMENT,
  JSON_TWICE,
  JSON_BROKEN,
  // its fields
  BODY_NOT_ARRAY,
  BODY_WRAPPED,
  LIST_EMPTY,
  LIST_TOO_LONG,
  FIELD_MISSPELT,
  FIELD_MISSING,
  FIELD_REPEATED,
  FIELD_TYPE,
  FIELD_VALUE,
  ENTRY_REPEATED;

  private final boolean harmless;

  Cause() {
    this(false);
  }

  Cause(boolean harmless) {
    this.harmless = harmless;
  }

  /** Whether servers accept the request anyway; then this is a remark, not a problem. */
  public boolean isHarmless() {
    return harmless;
  }
}
