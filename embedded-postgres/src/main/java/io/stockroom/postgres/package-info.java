/**
 * Runs the embedded PostgreSQL: unpacks its programs, owns its data folder, starts, supervises and
 * stops it.
 */
@NullMarked
package io.stockroom.postgres;

import org.jspecify.annotations.NullMarked;
