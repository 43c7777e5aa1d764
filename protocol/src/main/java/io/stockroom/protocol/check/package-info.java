/**
 * Tools for those who write a caller of the interface: what is wrong with a captured request, rule
 * by rule and with the likely cause; and a call as a program in the language of one's choice.
 */
@NullMarked
package io.stockroom.protocol.check;

import org.jspecify.annotations.NullMarked;
