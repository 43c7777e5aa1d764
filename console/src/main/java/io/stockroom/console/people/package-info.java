/** The people who use the console: who they are, how they sign in, how long that lasts. */
@NullMarked
package io.stockroom.console.people;

import org.jspecify.annotations.NullMarked;
