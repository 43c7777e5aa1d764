/**
 * Tools for those who write a caller of the interface: what a server rejects in a captured request,
 * and the likely cause; and a call as a program in the language of one's choice.
 */
@NullMarked
package io.stockroom.protocol.check;

import org.jspecify.annotations.NullMarked;
