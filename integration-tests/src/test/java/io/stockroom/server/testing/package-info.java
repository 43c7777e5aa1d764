/**
 * What the tests of the interface share: one real server on one real PostgreSQL, fresh merchants to
 * call it for, and a client that signs.
 */
@NullMarked
package io.stockroom.server.testing;

import org.jspecify.annotations.NullMarked;
