/** The users of the console, sign-in and sessions. */
@NullMarked
package io.stockroom.console.people;

import org.jspecify.annotations.NullMarked;
