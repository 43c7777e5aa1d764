/**
 * Who may work at the same time: places for each kind of call, so that a server with more to do
 * than it can goes on at its full pace and refuses the rest at once.
 */
@NullMarked
package io.stockroom.server.load;

import org.jspecify.annotations.NullMarked;
