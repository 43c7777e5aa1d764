/** Compares the server with the same SQL without a server, in one run on one machine. */
@NullMarked
package io.stockroom.lab.bench;

import org.jspecify.annotations.NullMarked;
