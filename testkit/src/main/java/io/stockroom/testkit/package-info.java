/** A real server in two lines, for tests of programs that call Stockroom. */
@NullMarked
package io.stockroom.testkit;

import org.jspecify.annotations.NullMarked;
