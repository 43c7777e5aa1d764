/**
 * The contract, shared by server, SDK and command line: the signature, the values a request may
 * carry and the error codes with their words.
 */
@NullMarked
package io.stockroom.protocol;

import org.jspecify.annotations.NullMarked;
