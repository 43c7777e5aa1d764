/**
 * Helps developers of clients: explains why a server rejects a captured request, and writes a call
 * as a program in a language of their choice.
 */
@NullMarked
package io.stockroom.protocol.check;

import org.jspecify.annotations.NullMarked;
