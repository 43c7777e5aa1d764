/** The console: its wiring and its servlet. */
@NullMarked
package io.stockroom.console;

import org.jspecify.annotations.NullMarked;
