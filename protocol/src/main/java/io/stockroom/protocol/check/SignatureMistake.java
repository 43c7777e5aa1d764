package io.stockroom.protocol.check;

/**
 * A known wrong way to compute a signature.
 *
 * @param formula the computation, such as {@code MD5(timestamp + secret)}
 */
record SignatureMistake(Cause cause, String formula) {}
