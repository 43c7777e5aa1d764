/** Measures a server on a marketplace: every operation, overload, hostile and waiting clients. */
@NullMarked
package io.stockroom.lab.bench;

import org.jspecify.annotations.NullMarked;
