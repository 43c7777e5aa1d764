/** Test fixtures: one real server on one real PostgreSQL, new merchants, and a signing client. */
@NullMarked
package io.stockroom.server.testing;

import org.jspecify.annotations.NullMarked;
