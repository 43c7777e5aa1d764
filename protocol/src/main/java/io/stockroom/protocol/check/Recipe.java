package io.stockroom.protocol.check;

/**
 * A way to make a signature that is not the right one.
 *
 * @param formula the way as people write it down: {@code MD5(timestamp + secret)}
 */
record Recipe(Cause cause, String formula) {}
