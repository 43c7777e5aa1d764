/**
 * The contract, shared by server, SDK and command line: signatures, valid values, and error codes
 * with their messages.
 */
@NullMarked
package io.stockroom.protocol;

import org.jspecify.annotations.NullMarked;
