/** Tells merchants' people what became low or sold out: in the console and by a daily email. */
@NullMarked
package io.stockroom.console.notifications;

import org.jspecify.annotations.NullMarked;
