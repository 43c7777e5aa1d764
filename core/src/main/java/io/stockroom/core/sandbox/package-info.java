/**
 * The sandbox, for integrators who test their programs: products that always get the same answer, a
 * clock that can be moved, and limits that can be reset. A server without a sandbox runs none of
 * this code.
 */
@NullMarked
package io.stockroom.core.sandbox;

import org.jspecify.annotations.NullMarked;
